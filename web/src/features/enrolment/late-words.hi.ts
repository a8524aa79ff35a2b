export const hi = {
  ofFee: 'इसमें विलंब शुल्क {fee}',
  eachAhead: '{day} से विलंब शुल्क {fee} अधिक',
  line: 'इसमें विलंब शुल्क',
}
