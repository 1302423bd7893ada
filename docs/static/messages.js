// The page of error messages: a box that shows, of all areas, the rows in which every word typed is found.
document.addEventListener("DOMContentLoaded", () => {
  const place = document.getElementById("messages");
  if (!place) return;
  const box = Object.assign(document.createElement("input"), {
    type: "search", placeholder: "words of a message, such as: expected numbers", ariaLabel: "find a message",
  });
  const told = document.createElement("span");
  place.append(box, told);
  const areas = [...document.querySelectorAll("article details")].map(area => ({
    area, rows: [...area.querySelectorAll("tbody tr")].map(row => ({ row, text: row.textContent.toLowerCase() })),
  }));
  const show = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let all = 0;
    for (const { area, rows } of areas) {
      let found = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every(word => text.includes(word));
        found += !row.hidden;
      }
      area.hidden = !found;
      area.open = words.length > 0;
      all += found;
    }
    told.textContent = words.length ? `${all} found` : "";
  };
  box.addEventListener("input", show);
  box.value = new URLSearchParams(location.search).get("find") ?? "";
  show();
});
