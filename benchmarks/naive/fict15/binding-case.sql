SELECT c.sid
FROM words c
JOIN words m ON m.sid = c.sid AND m.head = c.id
JOIN words p ON p.sid = m.sid AND p.id = m.id + 1
WHERE c.deprel = 'ccomp' AND m.deprel = 'mark'
  AND p.upos = 'PRON' AND p.deprel IN ('nsubj', 'nsubj:pass')
UNION
SELECT r.sid
FROM words r
JOIN words x ON x.sid = r.sid AND x.id = r.id + 1 AND x.head = r.head
WHERE r.feats LIKE '%Reflex=Yes%' AND x.deprel IN ('xcomp', 'advcl') AND r.head <> 0
ORDER BY sid
