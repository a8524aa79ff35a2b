/** Invented people. The family names say so: Namunawala, Udaharan, Kalpanik and Misaal are words for «example». */
export const familyNames = ['Namunawala', 'Udaharan', 'Kalpanik', 'Misaal', "D'Misaal", 'Namuna', 'Udaharanam']

export const girls = [
  ...['Aadhya', 'Aditi', 'Ananya', 'Anvi', 'Bhavna', 'Charvi', 'Devika', 'Diya', 'Eesha', 'Fatima', 'Gauri'],
  ...['Gurleen', 'Harini', 'Inaya', 'Ira', 'Ishita', 'Jasleen', 'Kavya', 'Keerthana', 'Lavanya', 'Mahika'],
  ...['Meher', 'Mishti', 'Myra', 'Naina', 'Navya', 'Nitya', 'Oviya', 'Pari', 'Prisha', 'Rhea', 'Riddhi', 'Saanvi'],
  ...['Sahana', 'Samaira', 'Shreya', 'Siya', 'Tanvi', 'Trisha', 'Urvi', 'Vanya', 'Vidya', 'Yashvi', 'Zara', 'Zoya'],
]

export const boys = [
  ...['Aarav', 'Abhinav', 'Advait', 'Akshay', 'Arjun', 'Armaan', 'Ayaan', 'Bhargav', 'Chaitanya', 'Daksh', 'Devansh'],
  ...['Dhruv', 'Eshan', 'Farhan', 'Gautam', 'Harsh', 'Hemant', 'Ibrahim', 'Ishaan', 'Jai', 'Joel', 'Kabir', 'Karthik'],
  ...['Krish', 'Laksh', 'Madhav', 'Manan', 'Mihir', 'Neel', 'Nikhil', 'Om', 'Parth', 'Pranav', 'Rehaan', 'Ritvik'],
  ...['Rohan', 'Samar', 'Shaurya', 'Siddharth', 'Tejas', 'Uday', 'Varun', 'Vihaan', 'Yash', 'Yuvan', 'Zayd'],
]

export const parents = [
  ...['Anil', 'Asha', 'Bharat', 'Chitra', 'Deepa', 'Dinesh', 'Farida', 'Ganesh', 'Geeta', 'Imran', 'Jaya', 'Kiran'],
  ...['Lakshmi', 'Mahesh', 'Manju', 'Mary', 'Naveen', 'Nirmala', 'Prakash', 'Radha', 'Rajesh', 'Rekha', 'Salma'],
  ...['Sanjay', 'Shanti', 'Suresh', 'Thomas', 'Usha', 'Vijay', 'Yasmin'],
]

/** Names as parents write them in Hindi, and others that a form must bear: long, short, with apostrophes and dots. */
export const hindiNames = [
  ...['आराध्या नमूनावाला', 'अद्वैत काल्पनिक', 'ईशान उदाहरण', 'काव्या मिसाल', 'कृष्णा नमूना', 'तनिष्का उदाहरण', 'प्रणव काल्पनिक'],
  ...['ऋद्धि मिसाल', 'शौर्य नमूनावाला', 'सिद्धि उदाहरण', 'श्रेया काल्पनिक', 'विहान मिसाल'],
]

export const oddNames = [
  'Thirunavukkarasu Misaal',
  "Siobhán O'Namuna",
  'Venkata Satyanarayana Lakshmi Narasimha Subrahmanya Udaharanam',
  'Md. Ayaan Kalpanik',
  'J. Om',
  "Shaun D'Udaharan",
  'Maria-Teresa Namunawala',
  'Al-Hussain Misaal',
]
