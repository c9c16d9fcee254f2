SELECT DISTINCT c.sid
FROM words c
JOIN words n ON n.sid = c.sid AND n.id = c.id + 1
WHERE c.upos = 'NUM' AND regexp_full_match(c.form, '[0-9.,]+') AND c.form <> '1'
  AND c.head = n.id AND (c.deprel = 'nummod' OR c.deprel LIKE 'nummod:%')
  AND n.xpos = 'NN'
ORDER BY c.sid
