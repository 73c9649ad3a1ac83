import { expect, it } from "vitest";
import {
  findCurrent,
  formatViews,
  maxNameLength,
  parseViews,
  queryOfView,
  readViewName,
  viewHref,
  withoutView,
  withView,
} from "@/app/_components/list/views/saved-views";

const view = (name: string, query = "") => ({ name, query });

it.each([
  ["  Blocked \t apps ", "Blocked apps"],
  ["x".repeat(maxNameLength), "x".repeat(maxNameLength)],
  ["x".repeat(maxNameLength + 1), null],
  ["", null],
  [" \n ", null],
  ["a\u0007b", null],
])("1.2 Lists: takes %j as the name %j of a view", (typed, name) => {
  expect(readViewName(typed)).toBe(name);
});

it("1.2 Lists: a view keeps the address without the place within the list", () => {
  expect(queryOfView(new URLSearchParams("q=a+b&sort=-name&after=25&before=1&cursor=3&size=25"))).toBe(
    "q=a+b&sort=-name&size=25",
  );
  expect(queryOfView("after=25")).toBe("");
});

it("keeps views in the order of their names, one of each name", () => {
  const views = withView(withView(withView([], view("View 10")), view("View 9")), view("VIEW 10", "q=x"));
  expect(views).toEqual([view("View 9"), view("VIEW 10", "q=x")]);
  expect(withoutView(views, "view 9")).toEqual([view("VIEW 10", "q=x")]);
});

it("finds the view that an address shows, on whichever page and in whichever order of parameters", () => {
  const views = [view("All"), view("Blocked", "state=blocked&q=x")];
  expect(findCurrent(views, new URLSearchParams("q=x&state=blocked&after=50"))?.name).toBe("Blocked");
  expect(findCurrent(views, new URLSearchParams())?.name).toBe("All");
  expect(findCurrent(views, new URLSearchParams("q=x"))).toBeNull();
});

it("reads what it has stored", () => {
  const views = [view("All"), view("Umlauts", queryOfView("q=äö&state=all"))];
  expect(parseViews(formatViews(views))).toEqual(views);
  expect(formatViews([])).toBeNull();
  expect(parseViews(null)).toEqual([]);
});

it.each([
  "",
  "{",
  "null",
  "7",
  '"text"',
  '{"name":"a","query":""}',
  "[null, 7, [], {}]",
  '[{"name":7,"query":""}]',
  '[{"name":"a"}]',
  '[{"name":"a","query":["q"]}]',
  '[{"name":" ","query":""}]',
  `[{"name":"${"x".repeat(61)}","query":""}]`,
])("what is stored counts as no view when it is none: %s", (text) => {
  expect(parseViews(text)).toEqual([]);
});

it("keeps the views among what is damaged", () => {
  expect(parseViews('[{"name":"a"},{"name":"b","query":"q=1","more":true}]')).toEqual([view("b", "q=1")]);
});

it.each([
  "//elsewhere.example/x",
  "https://elsewhere.example",
  "javascript:alert(1)",
  "./about",
  "#x",
  "?q=1",
  "q=1#/../about",
  "q=\\\\elsewhere.example&after=2",
])("1.2 Lists: a stored query %j leads to the list's own path", (query) => {
  const [stored] = parseViews(JSON.stringify([{ name: "a", query }]));
  const url = new URL(viewHref("/applications", stored ?? view("none", "missing")), "http://console.example");
  expect([url.origin, url.pathname, url.hash]).toEqual(["http://console.example", "/applications", ""]);
  expect(url.searchParams.has("after")).toBe(false);
});
