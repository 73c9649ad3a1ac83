import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { routeSections } from "@/app/_api/routes";
import DocsPage from "@/app/(console)/docs/page";
import { buildDocument } from "@/app/_api/openapi/build-document";
import { nameType } from "@/app/_api/openapi/type-text";
import { shareOf } from "@/test/support/extent";
import { router } from "@/test/support/navigation";

vi.mock("@/lib/platform/auth/callers/require-page", () => ({ requirePage: vi.fn() }));

const document = buildDocument(routeSections, "1.2.3");
async function show(query: Record<string, string> = {}): Promise<HTMLElement> {
  cleanup();
  return render(await DocsPage({ params: Promise.resolve({}), searchParams: Promise.resolve(query) })).container;
}
const article = () => within(screen.getByRole("article"));
const levelsOf = (page: HTMLElement) =>
  [...page.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(({ tagName }) => Number(tagName.slice(1)));
function expectNoGaps(levels: readonly number[]) {
  expect(levels[0]).toBe(1);
  for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
}

describe("/docs", () => {
  it("finding E5: shows one operation at a time, with its method, path, summary and callers", async () => {
    for (const [place, [path, item]] of Object.entries(document.paths).entries()) {
      for (const [method, operation] of shareOf(Object.entries(item), place)) {
        const page = await show({ operation: operation.operationId });
        // Found once: looking through a whole page, for every operation there is, takes long.
        const shown = screen.getByRole("article");
        expect(within(shown).getByRole("heading", { level: 2 })).toHaveTextContent(`${method}${path}`);
        expect(within(shown).getByText(`${operation.summary}.`)).toBeInTheDocument();
        expect(within(shown).getByText(/^(Everyone|Administrators|The app directory)/)).toBeInTheDocument();
        expect(within(shown).getByRole("heading", { name: "Answer" })).toBeInTheDocument();
        expect(within(shown).getByRole("heading", { name: "Errors" })).toBeInTheDocument();
        const current = [...page.querySelectorAll('[aria-current="page"]')].map((link) => link.getAttribute("href"));
        expect(new Set(current)).toEqual(new Set([`/docs?operation=${operation.operationId}`]));
      }
    }
  });

  it("tells parameters, body, answer and errors of a route", async () => {
    await show({ operation: "getGroups" });
    expect(article().getByText("environment").closest("li")).toHaveTextContent(
      'environment"staging" or "production"; default "production"Anything else counts as production',
    );
    expect(article().getByText("limit").closest("li")).toHaveTextContent("integer, 1 to 1000");
    expect(article().getByRole("link", { name: "Group" })).toHaveAttribute("href", "/docs?object=Group");
    await show({ operation: "postVehicleData" });
    expect(article().getByText("name").closest("li")).toHaveTextContent("namerequiredstring, 1 to 255 characters");
    for (const status of ["400", "401", "409", "413", "415", "500", "503"]) {
      expect(article().getByText(status)).toBeInTheDocument();
    }
  });

  it("marks what is not always there in an answer", async () => {
    await show({ object: "Application" });
    expect(article().getByText("private_key").closest("li")).toHaveTextContent("not always");
    expect(article().getByText("uuid").closest("li")).toHaveTextContent(/^uuidstring$/);
  });

  it("finding E5: begins with all operations and objects in a line each", async () => {
    const page = await show();
    expect(screen.queryByRole("article")).not.toBeInTheDocument();
    const targets = new Set([...page.querySelectorAll("main a, a")].map((link) => link.getAttribute("href")));
    for (const item of Object.values(document.paths)) {
      for (const { operationId } of Object.values(item)) expect(targets).toContain(`/docs?operation=${operationId}`);
    }
    for (const name of Object.keys(document.components.schemas)) expect(targets).toContain(`/docs?object=${name}`);
    for (const target of targets) {
      const [, anchor] = /^\/docs#(.*)$/.exec(target ?? "") ?? [];
      if (anchor !== undefined) expect(page.querySelector(`#${CSS.escape(anchor)}`), anchor).not.toBeNull();
      else expect(target).toMatch(/^\//);
    }
    const ids = [...page.querySelectorAll("[id]")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.querySelectorAll("script, img, iframe, link")).toHaveLength(0);
    expectNoGaps(levelsOf(page));
  });

  it.each([{ operation: "none" }, { object: "None" }])(
    "%j says that there is none, and shows what there is",
    async (query) => {
      await show(query);
      expect(screen.getByRole("note")).toHaveTextContent("Operation or object not found");
      expect(screen.getByRole("heading", { name: "Objects" })).toBeInTheDocument();
    },
  );

  it.each([
    ["#getGroups", "/docs?operation=getGroups"],
    ["#object-Group", "/docs?object=Group"],
  ])("finding E5: %s of the one long page still leads there", async (hash, href) => {
    window.history.replaceState(null, "", `/docs${hash}`);
    await show();
    await waitFor(() => expect(router.replace).toHaveBeenCalledWith(href));
  });

  it("follows no other fragment, and has headings without gaps", async () => {
    window.history.replaceState(null, "", "/docs#objects");
    expectNoGaps(levelsOf(await show({ operation: "getGroups" })));
    expectNoGaps(levelsOf(await show({ object: "Group" })));
    expect(router.replace).not.toHaveBeenCalled();
  });
});

const text = (schema: Parameters<typeof nameType>[0]) =>
  nameType(schema)
    .map((piece) => ("words" in piece ? piece.words : `<${piece.schema}>`))
    .join("");
it.each([
  [{}, "anything"],
  [{ type: ["string", "null"] }, "string or null"],
  [{ type: "string", format: "date-time" }, "timestamp"],
  [{ type: "string", minLength: 1 }, "string, not empty"],
  [{ type: "string", maxLength: 9 }, "string, at most 9 characters"],
  [{ type: "string", pattern: "^a$" }, "string of the form ^a$"],
  [{ type: "integer", minimum: 0 }, "integer, 0 or more"],
  [{ const: 0 }, "0"],
  [{ type: "array", items: { $ref: "#/components/schemas/Group" } }, "list of <Group>"],
  [{ type: "array", maxItems: 5, items: { type: "integer" } }, "list of integer, at most 5"],
  [{ type: "array", prefixItems: [] }, "empty list"],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "integer or null"],
  [{ type: "object", additionalProperties: { type: "string" } }, "object with values of string"],
] as const)("names of types: %j is %s", (schema, expected) =>
  expect(text(structuredClone(schema) as never)).toBe(expected),
);
