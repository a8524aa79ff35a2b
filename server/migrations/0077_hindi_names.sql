-- The Hindi names of what the office names in lists and subjects; empty: readers of Hindi see the English one.
alter table subjects add column name_hi text not null default '';
alter table designations add column name_hi text not null default '';
alter table titles add column name_hi text not null default '';
alter table states add column name_hi text not null default '';
alter table zones add column name_hi text not null default '';
alter table districts add column name_hi text not null default '';
alter table holidays add column name_hi text not null default '';

update states s set name_hi = v.hi from (values
  ('AN', 'अंडमान और निकोबार द्वीप समूह'),
  ('AP', 'आंध्र प्रदेश'),
  ('AR', 'अरुणाचल प्रदेश'),
  ('AS', 'असम'),
  ('BR', 'बिहार'),
  ('CH', 'चंडीगढ़'),
  ('CG', 'छत्तीसगढ़'),
  ('DH', 'दादरा और नगर हवेली तथा दमन और दीव'),
  ('DL', 'दिल्ली'),
  ('GA', 'गोवा'),
  ('GJ', 'गुजरात'),
  ('HR', 'हरियाणा'),
  ('HP', 'हिमाचल प्रदेश'),
  ('JK', 'जम्मू और कश्मीर'),
  ('JH', 'झारखंड'),
  ('KA', 'कर्नाटक'),
  ('KL', 'केरल'),
  ('LA', 'लद्दाख'),
  ('LD', 'लक्षद्वीप'),
  ('MP', 'मध्य प्रदेश'),
  ('MH', 'महाराष्ट्र'),
  ('MN', 'मणिपुर'),
  ('ML', 'मेघालय'),
  ('MZ', 'मिज़ोरम'),
  ('NL', 'नागालैंड'),
  ('OD', 'ओडिशा'),
  ('PY', 'पुदुच्चेरी'),
  ('PB', 'पंजाब'),
  ('RJ', 'राजस्थान'),
  ('SK', 'सिक्किम'),
  ('TN', 'तमिलनाडु'),
  ('TS', 'तेलंगाना'),
  ('TR', 'त्रिपुरा'),
  ('UP', 'उत्तर प्रदेश'),
  ('UK', 'उत्तराखंड'),
  ('WB', 'पश्चिम बंगाल')) as v (code, hi) where s.code = v.code;

update zones z set name_hi = v.hi from (values
  ('North', 'उत्तर'),
  ('North-East', 'पूर्वोत्तर'),
  ('South', 'दक्षिण'),
  ('East', 'पूर्व'),
  ('West', 'पश्चिम'),
  ('Central', 'मध्य'),
  ('Abroad', 'विदेश')) as v (name, hi) where z.name = v.name;

update designations d set name_hi = v.hi from (values
  ('Principal', 'प्रधानाचार्य'),
  ('Vice Principal', 'उप-प्रधानाचार्य'),
  ('Head Teacher', 'मुख्य शिक्षक'),
  ('Olympiad Coordinator', 'ओलंपियाड समन्वयक'),
  ('Teacher', 'शिक्षक'),
  ('Administrator', 'प्रशासक'),
  ('Accountant', 'लेखाकार'),
  ('Clerk', 'लिपिक'),
  ('Other', 'अन्य')) as v (name, hi) where d.name = v.name;

update titles t set name_hi = v.hi from (values
  ('Mr', 'श्री'),
  ('Mrs', 'श्रीमती'),
  ('Ms', 'सुश्री'),
  ('Dr', 'डॉ.'),
  ('Prof', 'प्रो.'),
  ('Sr', 'सिस्टर'),
  ('Fr', 'फ़ादर')) as v (name, hi) where t.name = v.name;
