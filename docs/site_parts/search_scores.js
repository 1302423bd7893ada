// How search orders what it found: Sphinx's own figures, and pages called like the query come first.
var Scorer = {
  score: ([page, title, place, told, score]) => {
    const query = (new URLSearchParams(window.location.search).get("q") || "").trim().toLowerCase();
    const called = !place && query && title.toLowerCase().includes(query);
    return score + (called ? 30 * (query.length / title.length) : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
