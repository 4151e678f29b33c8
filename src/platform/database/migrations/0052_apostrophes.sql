-- A search for obrien finds O'Brien. Add the words without their apostrophes; the next edit of a row drops the doubled words.
update contacts set search_text = search_text || replace(search_text, '''', '') where search_text like '%''%';
update projects set search_text = search_text || replace(search_text, '''', '') where search_text like '%''%';
update units set search_text = search_text || replace(search_text, '''', '') where search_text like '%''%';
