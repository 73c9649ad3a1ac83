import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { environments } from "@/lib/labels/vocabulary";
import { answeredTable, compiled } from "@/test/support/answers";
import { aCatalogue, anApp, anAppVersion, aSnapshot } from "@/test/support/builders";
import { jsonOf, send, startVehicleWorker } from "@/test/support/worker-server";

const folder = fileURLToPath(new URL("../../fixtures/policy-requests/", import.meta.url));
const samples = ["1-app", "10-apps", "10-apps-reduced", "50-apps"];
const fixed = ["default", "device", "pre_DataConsent"];

describe.each(samples)("the sample request policy-request-%s", (name) => {
  it.each(environments)("R1 to R3: is answered with every id that it names, in order (%s)", async (environment) => {
    const body = await readFile(`${folder}policy-request-${name}.json`);
    const { policy_table } = JSON.parse(body.toString());
    const ids = Object.keys(policy_table.app_policies);
    const requested = ids.filter((id) => !fixed.includes(id));
    expect(requested.length).toBeGreaterThan(0);
    const isLong = policy_table.module_config.full_app_id_supported === true;
    const granted = requested.filter((_, position) => position % 2 === 0);
    const apps = granted.map((id, position) => {
      const versions = [anAppVersion({ id: position + 1, shortUuid: isLong ? `short${position}` : id })];
      return anApp({ uuid: isLong ? id : `long-${position}`, versions });
    });
    const policy = await compiled(aSnapshot({ apps: aCatalogue(apps) }), environment);
    const { url } = await startVehicleWorker({ policy: () => policy });

    const plain = await send(`${url}/api/v1/${environment}/policy`, { body });
    expect(plain.status).toBe(200);
    const table = jsonOf(plain).data[0].policy_table;
    expect(Object.keys(table.app_policies)).toEqual([...requested, ...fixed]);
    for (const id of requested) {
      const entry = table.app_policies[id];
      if (granted.includes(id)) expect(entry).toMatchObject({ nicknames: ["Roadtune"] });
      else expect(entry).toBe("default");
    }
    expect(answeredTable(policy, policy_table)).toEqual(table);

    const headers = { "Accept-Encoding": "gzip" };
    const packed = await send(`${url}/api/v1/${environment}/policy`, { body, headers });
    expect(JSON.parse(gunzipSync(packed.body).toString()).data).toEqual(jsonOf(plain).data);
  });
});
