SELECT DISTINCT n.sid
FROM words n
JOIN words d ON d.sid = n.sid AND d.head = n.id
WHERE lower(n.form) IN ($det_nouns)
  AND d.deprel = 'det'
  AND (lower(d.form) IN ('this', 'that', 'these', 'those') OR lower(d.lemma) IN ('this', 'that', 'these', 'those'))
ORDER BY n.sid
