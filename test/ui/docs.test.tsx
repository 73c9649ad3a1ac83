import { render, within } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { routeSections } from "@/app/_api/routes";
import DocsPage from "@/app/(console)/docs/page";
import { buildDocument } from "@/lib/openapi/build-document";
import { nameType } from "@/lib/openapi/type-text";

vi.mock("@/lib/auth/session", () => ({ requireAdminPage: vi.fn() }));

const document = buildDocument(routeSections, "1.2.3");
let page: HTMLElement;
beforeEach(async () => {
  page = render(await DocsPage()).container;
});
const articleOf = (id: string) => within(page.querySelector<HTMLElement>(`#${CSS.escape(id)}`)!);

describe("/docs", () => {
  it("shows every operation with its method, path, summary and callers", () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const article = articleOf(operation.operationId);
        expect(article.getByRole("heading", { level: 3 })).toHaveTextContent(`${method}${path}`);
        expect(article.getByText(`${operation.summary}.`)).toBeInTheDocument();
        expect(article.getByText(/^(Everyone|Administrators|The app directory)/)).toBeInTheDocument();
        expect(article.getByRole("heading", { name: "Answer" })).toBeInTheDocument();
        expect(article.getByRole("heading", { name: "Errors" })).toBeInTheDocument();
      }
    }
  });

  it("tells parameters, body, answer and errors of a route", () => {
    const list = articleOf("getGroups");
    expect(list.getByText("environment").closest("li")).toHaveTextContent(
      'environment"staging" or "production"; default "production"Anything else counts as production',
    );
    expect(list.getByText("limit").closest("li")).toHaveTextContent("integer, 1 to 1000");
    expect(list.getByRole("link", { name: "Group" })).toHaveAttribute("href", "#object-Group");
    const save = articleOf("postVehicleData");
    expect(save.getByText("name").closest("li")).toHaveTextContent("namerequiredstring, 1 to 255 characters");
    for (const status of ["400", "401", "409", "413", "415", "500", "503"]) {
      expect(save.getByText(status)).toBeInTheDocument();
    }
  });

  it("marks what is not always there in an answer", () => {
    const application = articleOf("object-Application");
    expect(application.getByText("private_key").closest("li")).toHaveTextContent("not always");
    expect(application.getByText("uuid").closest("li")).toHaveTextContent(/^uuidstring$/);
  });

  it("has a target for every link within the page, and loads nothing from elsewhere", () => {
    const links = [...page.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    expect(links.length).toBeGreaterThan(100);
    for (const link of links) {
      if (link?.startsWith("#")) expect(page.querySelector(`#${CSS.escape(link.slice(1))}`), link).not.toBeNull();
      else expect(link).toMatch(/^\//);
    }
    const ids = [...page.querySelectorAll("[id]")].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page.querySelectorAll("script, img, iframe, link")).toHaveLength(0);
  });

  it("has headings without gaps", () => {
    const levels = [...page.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(({ tagName }) => Number(tagName.slice(1)));
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  });
});

describe("names of types", () => {
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
  ] as const)("%j is %s", (schema, expected) => {
    expect(text(structuredClone(schema) as never)).toBe(expected);
  });
});
