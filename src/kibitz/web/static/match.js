// Keeps the page of a match up to date. It asks once a second: the server answers all viewers with the same bytes, and
// with 304 where nothing has changed. A connection held open would take one of the six a browser has for all its tabs.
import { getJson } from "/static/requests.js";
import { redrawer } from "/static/redraw.js";
import { drawLegend, rateChart, weightChart } from "/static/charts.js";

const match = document.getElementById("match");
const problem = document.getElementById("problem");
const put = redrawer(match);
let { table, match: number } = match.dataset;
let latest = null;
let timer = 0;

function drawRates(chart) {
  const section = document.getElementById("rates");
  section.hidden = !chart || chart.lines[0].points.length === 0;
  if (section.hidden) return;
  document.getElementById("rates-title").textContent = chart.title;
  drawLegend(document.getElementById("rates-legend"), chart.lines.length > 1 ? chart.lines.map(({ name }) => name) : []);
  rateChart(document.getElementById("rates-chart"), chart.lines, document.getElementById("rates-told"), chart.unit);
  for (const link of match.querySelectorAll("[data-table]")) {
    if (link.dataset.table === chart.table) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

function offerMatches(weights) {
  const select = document.getElementById("weights-match");
  const offered = ["", ...weights.matches.map(String)];
  if (select.options.length !== offered.length) {
    select.replaceChildren(...offered.map((each) => new Option(each || "the latest", each)));
  }
  select.value = weights.latest ? "" : String(weights.match);
}

function drawWeights(weights) {
  const section = document.getElementById("weights");
  section.hidden = !weights?.charts.length;
  if (section.hidden) return;
  offerMatches(weights);
  const place = document.getElementById("weights-charts");
  while (place.children.length > weights.charts.length) place.lastChild.remove();
  weights.charts.forEach((chart, number) => {
    const title = `${chart.agent} in seat ${chart.seat} against ${chart.opponent}`;
    let figure = place.children[number];
    if (!figure) {
      figure = document.createElement("div");
      figure.innerHTML = '<h3></h3><svg class="chart" role="img"></svg><ul class="legend"></ul><p class="muted small"></p>';
      place.append(figure);
    }
    figure.querySelector("h3").textContent = title;
    figure.querySelector("svg").setAttribute("aria-label", `Weights of ${title}, match ${weights.match}`);
    weightChart(figure.querySelector("svg"), chart.points);
    drawLegend(figure.querySelector("ul"), chart.names);
    const final = chart.points.at(-1);
    const best = final.indexOf(Math.max(...final.slice(1)), 1);
    figure.querySelector("p").textContent =
      `Match ${weights.match.toLocaleString("en")}, hand ${final[0].toLocaleString("en")}: most weight is on ${chart.names[best - 1]}, ${Math.round(100 * final[best])} %.`;
  });
}

async function refresh() {
  clearTimeout(timer);
  const [asked, wanted] = [table, number];
  let wait = 5000;
  try {
    const query = new URLSearchParams({ name: match.dataset.name, table: asked, match: wanted });
    const answer = await getJson(`/matches/live?${query}`);
    if (asked !== table || wanted !== number) return;
    latest = answer;
    put(answer.html);
    drawRates(answer.chart);
    drawWeights(answer.weights);
    problem.hidden = true;
    wait = answer.state === "running" ? 1000 : 5000;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
  }
  clearTimeout(timer);
  timer = setTimeout(refresh, document.hidden ? 10 * wait : wait);
}

match.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-table]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  [table, number] = [link.dataset.table, ""];
  history.replaceState(null, "", link.href);
  refresh();
});
document.getElementById("weights-match").addEventListener("change", (event) => {
  number = event.target.value;
  const address = new URL(location.href);
  address.searchParams.set("table", table);
  address.searchParams.set("match", number);
  history.replaceState(null, "", address);
  refresh();
});
new ResizeObserver(() => {
  if (latest?.chart) drawRates(latest.chart);
  if (latest) drawWeights(latest.weights);
}).observe(document.getElementById("main"));
document.addEventListener("visibilitychange", () => document.hidden || refresh());
refresh();
