import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import * as callbackRoute from "@/app/api/auth/callback/oidc/route";
import * as signInRoute from "@/app/api/auth/signin/oidc/route";
import { exampleRoles } from "@/bench/example-login/people";

export const ownOrigin = "http://localhost:3000";

export interface LoginProcess {
  readonly env: Readonly<Record<string, string>>;
  /** Changes its behavior; see `login-process.ts`. Returns the bytes sent in hostile responses, and how many are left. */
  change(faults: Record<string, unknown>): Promise<{ readonly sent: number; readonly left: number }>;
  /** A logout token signed by the provider, valid for one use; undefined claims are left out. */
  makeLogoutToken(claims?: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
}

export async function startLoginProcess(origin = ownOrigin): Promise<LoginProcess> {
  const child = spawn(process.execPath, ["--import", "tsx", "test/support/login-process.ts", origin], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  for await (const part of child.stdout) {
    text += String(part);
    if (text.includes("\n")) break;
  }
  const issuer = text.trim();
  const change = async (faults: Record<string, unknown>) => {
    const answer = await fetch(`${issuer}/test`, { method: "POST", body: JSON.stringify(faults) });
    return (await answer.json()) as { sent: number; left: number; logoutToken?: string };
  };
  return {
    env: {
      ...{ AUTH_TYPE: "oidc", OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "policy-server", OIDC_ROLES: exampleRoles },
      ...{ OIDC_CLIENT_SECRET: "example-secret", SESSION_SECRET: "0123456789abcdef".repeat(2) },
    },
    change,
    makeLogoutToken: async (claims) => {
      const now = Math.floor(Date.now() / 1000);
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
      const usual = { iss: issuer, aud: "policy-server", iat: now, exp: now + 120, jti: randomUUID(), events };
      const { logoutToken = "" } = await change({ logout: { ...usual, ...claims } });
      return logoutToken;
    },
    stop: async () => {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

class Jar {
  readonly #cookies = new Map<string, string>();

  take(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  get text(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }
}

type Ask = (address: string, cookie: string) => Promise<Response>;

const askHandlers: Ask = async (address, cookie) => {
  const url = new URL(address, ownOrigin);
  const { GET } = url.pathname.startsWith("/api/auth/callback/") ? callbackRoute : signInRoute;
  return GET(new Request(url, { headers: { host: "localhost:3000", cookie } }));
};

export const askAt =
  (origin: string): Ask =>
  (address, cookie) =>
    fetch(new URL(address, origin), { redirect: "manual", headers: { cookie } });

export function aBrowser(ask = askHandlers, origin = ownOrigin) {
  const [own, theirs] = [new Jar(), new Jar()];
  /** Starts at this server; returns the URL at the provider. */
  const begin = async (redirect = "/about") => {
    const response = await ask(`/api/auth/signin/oidc?redirect=${redirect}`, own.text);
    own.take(response);
    return response.headers.get("location") ?? "";
  };
  /** Goes through the provider's pages as one of its people; returns the URL that it redirects to. */
  const choose = async (address: string, person: string): Promise<string> => {
    let next = address;
    for (let step = 0; step < 10 && !next.startsWith(origin); step += 1) {
      const response = await fetch(next, { redirect: "manual", headers: { cookie: theirs.text } });
      theirs.take(response);
      const location = response.headers.get("location") ?? `${new URL(next).pathname}/as/${person}`;
      next = new URL(location, next).href;
    }
    return next;
  };
  /** Returns to this server; returns where it redirects to. */
  const finish = async (address: string, cookie = own.text) => {
    const response = await ask(address, cookie);
    own.take(response);
    return response.headers.get("location") ?? `status ${response.status}`;
  };
  return {
    begin,
    choose,
    finish,
    signIn: async (person: string) => finish(await choose(await begin(), person)),
    cookie: () => own.text,
    headers: () => ({ host: new URL(origin).host, origin, cookie: own.text }),
  };
}
