import { once } from "node:events";
import { createServer } from "node:http";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { FunctionalGroupModel } from "@/models/functional-group";
import { ModuleConfigModel } from "@/models/module-config";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { moveHere } from "@/test/support/moving";
import { richInstallation } from "@/test/support/sdl-server/installation";
import type { Rows } from "@/test/support/sdl-server/rows";
import { type SdlServerOptions, startSdlServer } from "@/test/support/sdl-server/server";
import { forgetSettings } from "@/test/support/settings";

describe("import-sdl-server --url", () => {
  withDatabase();
  forgetSettings();
  let rows: Rows;
  beforeAll(async () => {
    rows = await richInstallation();
  });
  beforeEach(() => emptyDatabase());

  async function serve(options: Partial<SdlServerOptions> = {}) {
    const server = await startSdlServer({ rows, certificate: null, ...options });
    onTestFinished(() => server.stop());
    return server;
  }

  it("X6: asks for nothing that changes anything, with the password of the other server", async () => {
    const server = await serve({ password: "theirs" });
    const wrong = await moveHere(["--url", server.url], { SDL_SERVER_PASSWORD: "no" });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("(SDL_SERVER_PASSWORD)")]);
    const { code } = await moveHere(["--url", `${server.url}/`, "--dry-run"], { SDL_SERVER_PASSWORD: "theirs" });
    expect(code).toBe(0);
    const changing = server.asked.filter(
      (one) => !/^(GET \/|POST \/(policy\/apps|staging\/policy|production\/policy))/.test(one),
    );
    expect(changing).toEqual([]);
    expect(await FunctionalGroupModel.countDocuments()).toBe(0);
  });

  it("X7: names the certificates that a server does not tell which makes none", async () => {
    const { code, out } = await moveHere(["--url", (await serve()).url]);
    expect(code).toBe(0);
    expect(out).toContain("certificate of module config 1: the other server tells none");
    expect(await ModuleConfigModel.findOne({ _id: 1 }).lean()).toMatchObject({ certificate: null, privateKey: null });
  });

  it("X6: begins again when somebody has edited meanwhile, and stores nothing", async () => {
    let count = 0;
    const server = await serve({
      change: (path, data) => {
        if (path === "/applications" && data.applications.length > 1) data.applications[0].name = `App ${(count += 1)}`;
      },
    });
    const { code, err } = await moveHere(["--url", server.url]);
    expect([code, err]).toEqual([1, expect.stringContaining("has changed on the other server")]);
    expect(await FunctionalGroupModel.countDocuments()).toBe(0);
  });

  it("X6: tells which answer is not that of an sdl_server, and stores nothing", async () => {
    const server = await serve({
      change: (path, data) => {
        if (path === "/messages" && data.messages.length === 1) data.messages[0].languages = "none";
      },
    });
    const { code, err } = await moveHere(["--url", server.url]);
    expect([code, err]).toEqual([1, expect.stringMatching(/\/messages is not answered as .* messages\.0\.languages /)]);
    expect(await FunctionalGroupModel.countDocuments()).toBe(0);
    const page = createServer((_request, response) => void response.end("<html>"));
    page.listen(0, "127.0.0.1");
    await once(page, "listening");
    onTestFinished(() => void page.close());
    const { port } = page.address() as { port: number };
    const foreign = await moveHere(["--url", `http://127.0.0.1:${port}`]);
    expect([foreign.code, foreign.err]).toEqual([1, expect.stringContaining("not as a policy server does")]);
  });

  it("X8: a difference between the tables that nobody can explain is told: 1", async () => {
    const server = await serve({
      change: (path, data) => {
        if (path === "/production/policy")
          data[0].policy_table.functional_groupings["Group-1"].encryption_required = true;
      },
    });
    const { code, out } = await moveHere(["--url", server.url]);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining("functional_groupings.Group-1.encryption_required differs"),
    ]);
  });

  it("X4: one of both ways is named: 2", async () => {
    for (const args of [
      [],
      ["--url", "http://a.example.com", "--postgres", "postgres://b"],
      ["--url", "a.example.com"],
    ]) {
      expect([args, (await moveHere(args)).code]).toEqual([args, 2]);
    }
  });
});
