import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PreferencesSection } from "@/app/(console)/you/preferences-section";
import { PasswordForm } from "@/app/_components/fields/password-form";
import { SignInDialog } from "@/app/_components/shell/session/sign-in-dialog";
import { Toaster } from "@/app/_components/shell/toaster";
import { showDone } from "@/app/_components/feedback/show-toast";
import { get, noteVerifiedName, post, put } from "@/lib/platform/http/client";

vi.mock("next/navigation", async (original) => ({ ...(await original<object>()), useRouter: () => ({}) }));

const key = "preference:displayName";
const send = vi.fn<typeof fetch>();
/** The header of the last request; null: it had none. */
const sentName = () => new Headers(send.mock.lastCall?.[1]?.headers).get("x-display-name");

beforeEach(() => {
  send.mockImplementation(() =>
    Promise.resolve(Response.json({ meta: { request_id: "x", code: 200, message: null }, data: {} })),
  );
  vi.stubGlobal("fetch", send);
});
afterEach(() => {
  noteVerifiedName(false);
  localStorage.clear();
  window.location.hash = "";
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

describe("who did it", () => {
  it("every change carries the name, in ASCII; reading carries none", async () => {
    localStorage.setItem(key, " Jörg \ud800 ");
    await post("/api/v1/groups");
    expect(decodeURIComponent(sentName() ?? "")).toBe("Jörg \ufffd");
    await put("/api/v1/groups");
    expect(sentName()).toMatch(/^J%C3%B6rg/);
    await get("/api/v1/groups");
    expect(sentName()).toBeNull();
  });

  it.each([null, "", "   "])("no name is sent when there is none: %j", async (stored) => {
    if (stored !== null) localStorage.setItem(key, stored);
    await post("/api/v1/groups");
    expect(sentName()).toBeNull();
  });

  it("the name is a preference, and can be taken back", async () => {
    render(<PreferencesSection isNameVerified={false} />);
    await userEvent.click(screen.getByRole("button", { name: "Change preferences" }));
    const field = await screen.findByRole("textbox", { name: "Display name" });
    expect(field).toHaveAttribute("maxlength", "80");
    await userEvent.type(field, "Zoë");
    await post("/api/v1/groups");
    expect(sentName()).toBe("Zo%C3%AB");
    await userEvent.type(field, "\u202e");
    expect(field).toBeInvalid();
    await userEvent.clear(field);
    expect(localStorage.getItem(key)).toBeNull();
  });

  it("the sign-in asks for it, and keeps what was given", async () => {
    localStorage.setItem(key, "Ann");
    const onSignedIn = vi.fn();
    render(<PasswordForm onSignedIn={onSignedIn} />);
    const field = screen.getByRole("textbox", { name: "Display name (optional)" });
    expect(field).toHaveValue("Ann");
    await userEvent.clear(field);
    await userEvent.type(field, " Bea ");
    expect(localStorage.getItem(key)).toBe("Ann");
    await userEvent.type(screen.getByLabelText("Password"), "open sesame{Enter}");
    await vi.waitFor(() => {
      expect(onSignedIn).toHaveBeenCalledOnce();
    });
    expect(localStorage.getItem(key)).toBe("Bea");
    expect(send.mock.lastCall?.[1]?.body).toBe('{"password":"open sesame"}');
  });

  it("no toast misses a name that the proxy gives", async () => {
    const { unmount } = render(<SignInDialog isNameVerified />);
    render(<Toaster />);
    await post("/api/v1/groups");
    showDone("Saved by Zoë");
    const toast = (await screen.findByText("Saved by Zoë")).closest("li") as HTMLElement;
    expect(within(toast).queryByRole("link")).not.toBeInTheDocument();
    expect(localStorage.getItem("preference:displayNameHint")).toBeNull();
    unmount();
  });

  it("the toast of the first change without a name says so, once in a browser", async () => {
    render(<Toaster />);
    await post("/api/v1/groups");
    showDone("Saved once");
    const toast = (await screen.findByText("Saved once")).closest("li") as HTMLElement;
    const link = within(toast).getByRole("link", { name: "Set a display name" });
    expect(link).toHaveAttribute("href", "/you#preferences");
    showDone("Saved again");
    const next = (await screen.findByText("Saved again")).closest("li") as HTMLElement;
    expect(within(next).queryByRole("link")).not.toBeInTheDocument();
  });

  it("says nothing to somebody who has given a name", async () => {
    localStorage.setItem(key, "Ann");
    render(<Toaster />);
    await post("/api/v1/groups");
    showDone("Saved by Ann");
    const toast = (await screen.findByText("Saved by Ann")).closest("li") as HTMLElement;
    expect(within(toast).queryByRole("link")).not.toBeInTheDocument();
  });

  it("whoever is named by somebody else chooses no name", async () => {
    render(<PreferencesSection isNameVerified />);
    await userEvent.click(screen.getByRole("button", { name: "Change preferences" }));
    await screen.findByRole("switch", { name: "Single-key shortcuts" });
    expect(screen.queryByRole("textbox")).not.toBeInTheDocument();
  });

  it("the sign-in asks for none beside it, and keeps what was given before", async () => {
    localStorage.setItem(key, "Ann");
    const onSignedIn = vi.fn();
    render(<PasswordForm isNameVerified onSignedIn={onSignedIn} />);
    expect(screen.queryByRole("textbox", { name: /Display name/ })).not.toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("Password"), "open sesame{Enter}");
    await vi.waitFor(() => {
      expect(onSignedIn).toHaveBeenCalledOnce();
    });
    expect(localStorage.getItem(key)).toBe("Ann");
  });

  it("the address of the preferences opens them", async () => {
    window.location.hash = "#preferences";
    render(<PreferencesSection isNameVerified={false} />);
    await screen.findByRole("textbox", { name: "Display name" });
  });
});
