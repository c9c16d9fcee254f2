SELECT c.sid
FROM words c
JOIN words m ON m.sid = c.sid AND m.head = c.id
JOIN words p ON p.sid = c.sid AND p.head = c.id
WHERE c.deprel = 'ccomp' AND m.deprel = 'mark'
  AND p.upos = 'PRON' AND p.deprel IN ('obj', 'obl') AND c.id < p.id
UNION
SELECT c.sid
FROM words c
JOIN words r ON r.sid = c.sid AND r.head = c.id
WHERE c.deprel IN ('ccomp', 'xcomp') AND r.feats LIKE '%Reflex=Yes%'
ORDER BY sid
