SELECT DISTINCT v.sid
FROM words v
JOIN words p ON p.sid = v.sid AND p.head = v.id
JOIN words o ON o.sid = v.sid AND o.head = v.id
WHERE v.upos = 'VERB'
  AND (p.deprel = 'compound:prt' OR p.deprel LIKE 'compound:prt:%')
  AND (o.deprel = 'obj' OR o.deprel LIKE 'obj:%')
  AND v.id < o.id AND o.id < p.id
ORDER BY v.sid
