import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { mutate, SWRConfig } from "swr";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { ConsoleSwr } from "@/app/_components/console-swr";
import { saveDraft } from "@/app/_components/form/draft-store";
import { Toaster } from "@/app/_components/shell/toaster";
import { type SentRequest, stubApi, type StubbedAnswer } from "@/test/support/console-stubs";
import { goTo } from "@/test/support/navigation";
import { forgetSettings, useSettings } from "@/test/support/settings";

type Answer = (request: SentRequest) => StubbedAnswer | Promise<StubbedAnswer>;

export const api: { answer: Answer; reads: string[]; sent: SentRequest[] } = {
  answer: () => ({ data: {} }),
  reads: [],
  sent: [],
};
export const bodies = (path?: string): any[] =>
  api.sent.filter((one) => path === undefined || one.path === path).map(({ body }) => body);
export const expectBodies = (...expected: readonly unknown[]) => waitFor(() => expect(bodies()).toEqual(expected));

export function holdAnswers(): () => void {
  const { answer } = api;
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  api.answer = async (request) => {
    if (request.method !== "GET") await held;
    return answer(request);
  };
  return letGo;
}

forgetSettings();
beforeEach(() => {
  useSettings();
  api.answer = () => ({ data: {} });
  api.reads = [];
  api.sent = stubApi((request) => {
    if (request.method === "GET") api.reads.push(request.path);
    return api.answer(request);
  });
});
afterEach(async () => {
  cleanup();
  // Drafts outlive their page.
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith("draft:"));
  for (const key of keys) saveDraft(key.slice("draft:".length), null);
  await mutate(() => true, undefined, { revalidate: false });
});

type Query = Readonly<Record<string, string>>;
type Page = (props: any) => ReactNode | Promise<ReactNode>;

export const Around = ({ children }: Readonly<{ children: ReactNode }>) => (
  <ConsoleSwr>
    <SWRConfig value={{ dedupingInterval: 0 }}>
      {children}
      <Toaster />
    </SWRConfig>
  </ConsoleSwr>
);

/** Renders a page at its address, as the server and then the browser do. `redraw` shows it anew, with its next data. */
export async function showPage(page: Page, path: string, query: Query = {}, params: object = {}) {
  const draw = async (asked: Query) => {
    const search = new URLSearchParams(asked).toString();
    goTo(search === "" ? path : `${path}?${search}`);
    return <Around>{await page({ params: Promise.resolve(params), searchParams: Promise.resolve(asked) })}</Around>;
  };
  const { rerender, unmount } = render(await draw(query));
  return { unmount, redraw: async (asked = query) => rerender(await draw(asked)) };
}

export const expectRedirect = (shown: Promise<unknown>, address: string) =>
  expect(shown).rejects.toMatchObject({ digest: expect.stringContaining(`;${address};`) });
export const expectNotFound = (shown: Promise<unknown>) =>
  expect(shown).rejects.toMatchObject({ digest: expect.stringContaining("404") });

type Name = string | RegExp;
type Scope = Pick<typeof screen, "getByRole">;

export const button = (name: Name, scope: Scope = screen) => scope.getByRole("button", { name });
export const link = (name: Name, scope: Scope = screen) => scope.getByRole("link", { name });
export const field = (name: Name, scope: Scope = screen) => scope.getByRole("textbox", { name });
export const checkbox = (name: Name, scope: Scope = screen) => scope.getByRole("checkbox", { name });
export const combobox = (name: Name, scope: Scope = screen) => scope.getByRole("combobox", { name });
export const region = (name: Name) => screen.getByRole("region", { name });
export const isOff = (element: HTMLElement) => element.getAttribute("aria-disabled") === "true";
export const expectLink = (name: Name, href: string, scope: Scope = screen) =>
  expect(link(name, scope)).toHaveAttribute("href", href);

export const press = (name: Name, scope: Scope = screen) => userEvent.click(button(name, scope));
export const type = (name: Name, text: string, scope: Scope = screen) => userEvent.type(field(name, scope), text);
export const choose = (name: Name, option: string, scope: Scope = screen) =>
  userEvent.selectOptions(combobox(name, scope), option);
export const pressNext = async (name: Name) => userEvent.click(await screen.findByRole("button", { name }));
export const pick = async (name: Name) => userEvent.click(await screen.findByRole("menuitem", { name }));
export const question = async (name?: Name) =>
  within(await screen.findByRole("alertdialog", name === undefined ? {} : { name }));
export const texts = (role: string, scope: Pick<typeof screen, "getAllByRole"> = screen) =>
  scope.getAllByRole(role).map(({ textContent }) => textContent);
export const cells = (table: HTMLElement) =>
  within(table)
    .getAllByRole("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent));

export function catchDownloads(): string[] {
  const hrefs: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    hrefs.push(this.getAttribute("href") ?? "");
  });
  return hrefs;
}
