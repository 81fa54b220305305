# The modules of src/, each behind those that it imports.
set(page_modules
    format dom intervals scale mapping document search compare palette scene paint overlay timeline
    waits pictures inspector summary table changes files state tooltip tabs app main)
