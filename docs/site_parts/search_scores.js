// How search orders what it found: Sphinx's own figures, and what is called like the query comes first.
var Scorer = {
  score: ([page, title, place, told, score]) => {
    const query = (new URLSearchParams(window.location.search).get("q") || "").trim().toLowerCase();
    const called = !place && query && title.toLowerCase().includes(query);
    // A member of Robot called exactly so comes before those of other classes; figures come after explanations.
    const member = title === `soadyn.Robot.${query}` ? 20 : 0;
    const figures = /^(benchmarks|coverage)\/(?!index)/.test(page) ? -6 : 0;
    const pasted = query.split(/\s+/).length > 3 && page === "reference/errors" ? 20 : 0;  // a message somebody got
    return score + pasted + (called ? 30 * (query.length / title.length) : 0) + member + figures;
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
