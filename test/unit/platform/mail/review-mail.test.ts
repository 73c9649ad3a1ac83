import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { SMTPServerOptions } from "smtp-server";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { countWaitingMail, type ReviewMailOptions, startReviewMail } from "@/lib/platform/mail/review-mail";
import { findMailRoute, isReviewMailOn, sendMail } from "@/lib/platform/mail/send-mail";
import type { Settings } from "@/lib/platform/settings";
import { createTestAuthority } from "@/test/support/authority";
import { listenToEnd } from "@/test/support/listen";
import { decodeHeader, endMailServers, readMail, type ReceivedMail, startMailServer } from "@/test/support/mail-server";
import { readSettings } from "@/test/support/settings";

endMailServers();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function settingsOf(port: number, env: Readonly<Record<string, string>> = {}): Settings {
  return readSettings({
    SMTP_HOST: "localhost",
    SMTP_PORT: String(port),
    SMTP_FROM: "policy@example.com",
    NOTIFY_APP_REVIEW_FREQUENCY: "REALTIME",
    NOTIFY_APP_REVIEW_EMAILS: "one@example.com, two@example.com",
    PUBLIC_BASE_URL: "https://policy.example.com",
    ...env,
  });
}

const soon: ReviewMailOptions = { quietMs: 50, longestMs: 2000, stopMs: 120_000 };
const app = (id: number) => ({ id, name: `App ${id}` });

function watchFailures(): unknown[] {
  const lines: unknown[] = [];
  vi.spyOn(log, "error").mockImplementation((...line: unknown[]) => void lines.push(line));
  return lines;
}

const subjectsOf = (received: readonly ReceivedMail[]) => received.map((mail) => readMail(mail).headers.subject);

interface Given extends ReviewMailOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly server?: SMTPServerOptions;
}

async function mailOf(apps: readonly { id: number; name: string }[], { env, server, ...options }: Given = {}) {
  const failures = watchFailures();
  const { port, received } = await startMailServer(server);
  const settings = settingsOf(port, env);
  const mail = startReviewMail(settings, { ...soon, ...options });
  for (const one of apps) mail.add(one);
  await mail.stop();
  return { settings, received, failures };
}

const startTalker = (talk: (socket: Socket) => void) =>
  listenToEnd(
    createServer((socket) => {
      // Who does not read does not see the end either.
      socket.on("error", () => undefined).resume();
      talk(socket);
    }),
  );

it("N6: tells how many apps wait for the next mail, until it has been sent or nobody will send it", async () => {
  const server = await startMailServer();
  const before = countWaitingMail();
  const mail = startReviewMail(settingsOf(server.port), { quietMs: 2 ** 30, longestMs: 2 ** 30, maxListed: 2 });
  for (const id of [1, 2, 2, 3]) mail.add(app(id));
  expect(countWaitingMail()).toBe(before + 3);
  await mail.stop();
  expect(countWaitingMail()).toBe(before);
});

describe("when mails are sent (directory.md section 10)", () => {
  it.each([
    [{}, true],
    [{ SMTP_HOST: "" }, false],
    [{ SMTP_FROM: "" }, false],
    [{ NOTIFY_APP_REVIEW_FREQUENCY: "DISABLED" }, false],
    [{ NOTIFY_APP_REVIEW_FREQUENCY: "" }, false],
    [{ NOTIFY_APP_REVIEW_FREQUENCY: "realtime" }, true],
    [{ NOTIFY_APP_REVIEW_EMAILS: " , " }, false],
  ])("with %o: %s", async (env, isOn) => {
    const { settings, received } = await mailOf([app(1)], { env });
    expect(isReviewMailOn(settings)).toBe(isOn);
    expect(received).toHaveLength(isOn ? 1 : 0);
  });

  it("TLS from the first byte belongs to port 465", () => {
    expect(findMailRoute(settingsOf(465))?.isTlsFromStart).toBe(true);
    expect(findMailRoute(settingsOf(587))?.isTlsFromStart).toBe(false);
  });
});

describe("one message for apps that come together", () => {
  it("goes to all recipients with both parts and a link", async () => {
    const { port, received } = await startMailServer();
    const mail = startReviewMail(settingsOf(port), soon);
    mail.add({ id: 42, name: "Grüße" });
    await expect.poll(() => received.length).toBe(1);
    const [message] = received;
    expect(message).toMatchObject({ from: "policy@example.com", to: ["one@example.com", "two@example.com"] });
    const { headers, text, html } = readMail(message!);
    expect(decodeHeader(headers.subject ?? "")).toBe("App waiting for review: Grüße");
    expect(headers).toMatchObject({ "auto-submitted": "auto-generated", to: "one@example.com, two@example.com" });
    expect(text).toContain("- Grüße\n  https://policy.example.com/applications/42");
    expect(html).toContain('<a href="https://policy.example.com/applications/42">Grüße</a>');
    await mail.stop();
    expect(received).toHaveLength(1);
  });

  it("comes from the name that SMTP_FROM gives", async () => {
    const { received } = await mailOf([app(1)], { env: { SMTP_FROM: "Car policies <policy@example.com>" } });
    expect(received).toMatchObject([{ from: "policy@example.com" }]);
    expect(readMail(received[0]!).headers.from).toBe("Car policies <policy@example.com>");
  });

  it("500 apps at once: one message that lists the first 100", async () => {
    const { port, received } = await startMailServer();
    const mail = startReviewMail(settingsOf(port), soon);
    for (let id = 1; id <= 500; id += 1) mail.add(app(id));
    await expect.poll(() => received.length).toBe(1);
    await wait(200);
    expect(received).toHaveLength(1);
    const { headers, text, html } = readMail(received[0]!);
    expect(headers.subject).toBe("500 apps waiting for review");
    expect(text.match(/^- App /gm)).toHaveLength(100);
    expect(text).toContain("- App 100\n");
    expect(text).toContain("… and 400 more: https://policy.example.com/applications");
    expect(html.match(/<li>/g)).toHaveLength(100);
    await mail.stop();
  });

  it("waits for quiet, but never longer than it may", async () => {
    const { port, received } = await startMailServer();
    const before = countWaitingMail();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const mail = startReviewMail(settingsOf(port), { quietMs: 300, longestMs: 700 });
    // The quiet never comes: 20 ms between two apps.
    for (let id = 1; id <= 35; id++) {
      mail.add(app(id));
      expect(countWaitingMail()).toBe(before + id);
      vi.advanceTimersByTime(20);
    }
    vi.useRealTimers();
    await expect.poll(() => received.length).toBe(1);
    await mail.stop();
    const named = received.flatMap((message) => readMail(message).text.match(/^- App \d+$/gm) ?? []);
    expect(named).toEqual(Array.from({ length: 35 }, (_, index) => `- App ${index + 1}`));
  });

  it("names an app once, by its last name", async () => {
    const named = ["Old", "New"].map((name) => ({ id: 1, name }));
    expect(subjectsOf((await mailOf(named)).received)).toEqual(["App waiting for review: New"]);
  });

  it("what comes while one message is under way goes into the next", async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const isUnderWay = vi.fn();
    const { port, received } = await startMailServer({
      onMailFrom(_address, _session, done) {
        isUnderWay();
        void held.then(() => done());
      },
    });
    const mail = startReviewMail(settingsOf(port), { quietMs: 20, longestMs: 100 });
    mail.add(app(1));
    await expect.poll(() => isUnderWay.mock.calls.length).toBe(1);
    for (const id of [2, 3, 4]) {
      mail.add(app(id));
      await wait(50);
    }
    letGo();
    await expect.poll(() => received.length).toBe(2);
    await mail.stop();
    expect(subjectsOf(received)).toEqual(["App waiting for review: App 1", "3 apps waiting for review"]);
  });

  it("a name cannot add a header or a recipient", async () => {
    const { received } = await mailOf([{ id: 1, name: "x\r\nBcc: evil@example.com\r\n\r\n<script>" }]);
    expect(received[0]?.to).toEqual(["one@example.com", "two@example.com"]);
    expect(readMail(received[0]!).headers).not.toHaveProperty("bcc");
  });
});

describe("at a stop", () => {
  it("sends what was gathered, and takes nothing more", async () => {
    const { port, received } = await startMailServer();
    const mail = startReviewMail(settingsOf(port));
    mail.add(app(1));
    mail.add(app(2));
    await mail.stop();
    expect(received).toHaveLength(1);
    mail.add(app(3));
    await mail.stop();
    expect(received).toHaveLength(1);
  });

  it("does not wait for a mail server that hangs", async () => {
    const failures = watchFailures();
    const mail = startReviewMail(settingsOf(await startTalker(() => undefined)), { stopMs: 100 });
    mail.add(app(1));
    await mail.stop();
    expect(failures).toHaveLength(1);
  });
});

let tls: { key: string; cert: string };
let ca: string;
beforeAll(() => {
  const authority = createTestAuthority();
  const { certificate, privateKey } = authority.aPair({ commonName: "localhost" });
  tls = { key: privateKey, cert: certificate };
  ca = readFileSync(authority.caCertificatePath, "utf8");
});

describe("TLS", () => {
  const login = { SMTP_USERNAME: "robot", SMTP_PASSWORD: "pass phrase" };

  it("is taken up with STARTTLS when it is offered, and the login is sent over it", async () => {
    const logins: unknown[] = [];
    const server: SMTPServerOptions = {
      ...tls,
      disabledCommands: [],
      onAuth: ({ username, password }, session, done) => {
        logins.push([username, password, session.secure]);
        done(null, { user: username });
      },
    };
    const { received } = await mailOf([app(1)], { env: login, server, tls: { ca } });
    expect(received).toMatchObject([{ isSecure: true, user: "robot" }]);
    expect(logins).toEqual([["robot", "pass phrase", true]]);
  });

  it("finding B10: without TLS no login is sent, and no message either", async () => {
    const logins: unknown[] = [];
    const server: SMTPServerOptions = {
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) => {
        logins.push(auth);
        done(null, { user: auth.username });
      },
    };
    const { received, failures } = await mailOf([app(1)], { env: login, server });
    expect([logins, received]).toEqual([[], []]);
    expect(failures).toHaveLength(1);
  });

  it("is spoken from the first byte where that is the way", async () => {
    const { port, received } = await startMailServer({ ...tls, secure: true });
    const route = findMailRoute(settingsOf(port));
    const message = { subject: "s", text: "t", html: "h" };
    await sendMail({ ...route!, isTlsFromStart: true, tls: { ca } }, message, AbortSignal.timeout(10_000));
    expect(received).toMatchObject([{ isSecure: true }]);
  });

  it("is not spoken with somebody unknown: nothing is sent, and the log says why", async () => {
    const { received, failures } = await mailOf([app(1)], { server: { ...tls, disabledCommands: [] } });
    expect(received).toEqual([]);
    expect(failures).toEqual([
      [
        expect.objectContaining({ apps: 1, reason: expect.stringContaining("certificate") }),
        "could not send mail about apps waiting for review",
      ],
    ]);
  });
});

type FailOptions = ReviewMailOptions & { readonly login?: Readonly<Record<string, string>> };

describe("failures are logged and nothing else", () => {
  const secret = "pass phrase of the mail server";

  async function fail(
    port: number,
    { login = { SMTP_USERNAME: "robot", SMTP_PASSWORD: secret }, ...options }: FailOptions = {},
  ): Promise<Record<string, unknown>> {
    const failures = watchFailures();
    const mail = startReviewMail(settingsOf(port, login), { ...soon, ...options });
    mail.add(app(1));
    await expect.poll(() => failures.length).toBe(1);
    await mail.stop();
    const text = JSON.stringify(failures);
    for (const word of [secret, Buffer.from(secret).toString("base64"), "example.com", "robot"]) {
      expect(text).not.toContain(word);
    }
    return (failures as [[Record<string, unknown>]])[0][0];
  }

  it.each([
    [
      "a sender",
      { onMailFrom: (_address: unknown, _session: unknown, done: (e: Error) => void) => done(new Error(secret)) },
    ],
    [
      "a recipient",
      {
        disabledCommands: ["STARTTLS", "AUTH"],
        onRcptTo: ({ address }: { address: string }, _session: unknown, done: (e: Error) => void) =>
          done(new Error(`unknown: ${address}`)),
      },
    ],
  ])("a server that refuses %s", async (_, options) => {
    const { port } = await startMailServer(options);
    expect(await fail(port, { login: {} })).toMatchObject({
      apps: 1,
      reason: "the mail server refused",
      status: expect.any(Number),
    });
  });

  it("a server that refuses a login", async () => {
    let asked = 0;
    const { port } = await startMailServer({
      ...tls,
      disabledCommands: [],
      onAuth: (_auth, _session, done) => {
        asked += 1;
        done(new Error(secret));
      },
    });
    expect(await fail(port, { tls: { ca } })).toMatchObject({ reason: "the mail server refused", status: 535 });
    expect(asked).toBe(1);
  });

  it("a server that is not there", async () =>
    expect(await fail(1)).toMatchObject({ code: "ECONNREFUSED", status: null }));

  it.each([
    ["says nothing", (_socket: Socket) => undefined],
    ["stops after its greeting", (socket: Socket) => socket.write("220 hello\r\n")],
    [
      "drips",
      (socket: Socket) => {
        const timer = setInterval(() => socket.write("220-wait\r\n"), 10);
        socket.on("close", () => clearInterval(timer));
      },
    ],
  ])("a server that %s, after the deadline", async (_, talk) => {
    expect(await fail(await startTalker(talk), { deadlineMs: 200 })).toMatchObject({ code: "ETIMEDOUT" });
  });

  it.each([
    ["talks nonsense", (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["hangs up", (socket: Socket) => socket.destroy()],
    ["has no time", (socket: Socket) => socket.end("421 too busy\r\n")],
  ])("a server that %s", async (_, talk) => {
    expect(await fail(await startTalker(talk))).toMatchObject({ apps: 1, code: expect.any(String) });
  });

  it("the next message is sent as if nothing had been", async () => {
    watchFailures();
    let isBroken = true;
    const { port, received } = await startMailServer({
      onConnect: (_session, done) => done(isBroken ? new Error("not now") : null),
    });
    const mail = startReviewMail(settingsOf(port), soon);
    mail.add(app(1));
    await wait(300);
    isBroken = false;
    mail.add(app(2));
    await mail.stop();
    expect(subjectsOf(received)).toEqual(["App waiting for review: App 2"]);
  });
});
