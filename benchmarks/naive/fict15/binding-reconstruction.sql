SELECT DISTINCT r.sid
FROM words r
JOIN words s ON s.sid = r.sid AND s.head = r.id
WHERE r.feats LIKE '%Reflex=Yes%' AND s.deprel = 'nsubj'
ORDER BY r.sid
