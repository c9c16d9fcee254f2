SELECT DISTINCT sid
FROM words
WHERE (deprel = 'nsubj' OR deprel LIKE 'nsubj:%')
  AND lower(form) IN ($sv_nouns)
ORDER BY sid
