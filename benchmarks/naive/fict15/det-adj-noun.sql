SELECT DISTINCT d.sid
FROM words d
JOIN words x ON x.sid = d.sid AND x.id = d.id + 1
WHERE d.upos = 'DET' AND lower(d.form) IN ('this', 'that', 'these', 'those')
  AND x.upos NOT IN ('NOUN', 'PROPN')
ORDER BY d.sid
