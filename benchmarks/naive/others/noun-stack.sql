SELECT DISTINCT n.sid
FROM words n
JOIN words x ON x.sid = n.sid AND x.head = n.id
WHERE n.upos = 'NOUN'
  AND (x.deprel = 'compound' OR x.deprel LIKE 'compound:%') AND x.upos IN ('NOUN', 'PROPN')
GROUP BY n.sid, n.id
HAVING count(*) >= 2
ORDER BY n.sid
