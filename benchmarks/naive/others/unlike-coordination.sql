SELECT DISTINCT a.sid
FROM words a
JOIN words b ON b.sid = a.sid AND b.head = a.id
JOIN words c ON c.sid = b.sid AND c.head = b.id
WHERE a.upos IN ('NOUN', 'PROPN', 'ADJ', 'ADV', 'VERB')
  AND b.upos IN ('NOUN', 'PROPN', 'ADJ', 'ADV', 'VERB')
  AND (b.deprel = 'conj' OR b.deprel LIKE 'conj:%')
  AND (c.deprel = 'cc' OR c.deprel LIKE 'cc:%')
  AND a.upos <> b.upos
ORDER BY a.sid
