"one per process";

import { oncePer } from "@/lib/platform/once-per";
import { buildMessagesText, listShownMessages } from "@/lib/policy/table/consumer-messages";
import { buildModuleConfig, buildRpcPriorities } from "@/lib/policy/table/module-config";
import type { PolicyOptions, PolicySnapshot } from "@/lib/policy/table/snapshot";
import { listSchemaItems } from "@/lib/policy/table/vehicle-data";
import { entryText, productionSide } from "@/lib/releases/review/app-comparison";
import type { ItemKey } from "@/lib/vocabulary/release-items";

const ignore = () => undefined;

/** The part of the production table for an item, without the private key; null: none. */
export function buildTablePart(
  snapshot: PolicySnapshot,
  { family, key }: ItemKey,
  { publicBaseUrl }: Pick<PolicyOptions, "publicBaseUrl">,
): unknown {
  switch (family) {
    case "group":
      return parse(productionSide(snapshot).groupTexts.get(key));
    case "message": {
      const message = snapshot.messages.production.filter(({ category }) => category === key);
      return onlyMember(parse(buildMessagesText(listShownMessages(message, ignore))));
    }
    case "vehicle_data":
      return vehicleDataItems(snapshot).get(key) ?? null;
    case "module_config": {
      const [config] = snapshot.moduleConfigs.production;
      if (config === undefined) return null;
      const certificate = config.privateKey === null ? null : config.certificate;
      const options = { publicBaseUrl, certificates: { staging: certificate, production: certificate } };
      const priorities = buildRpcPriorities(config);
      return {
        ...Object(parse(buildModuleConfig(config, "production", options, true))),
        ...(priorities !== null && { rpc_priority_table: parse(priorities) }),
      };
    }
    case "app": {
      const app = snapshot.apps.byUuid(key.toLowerCase());
      const text = app === undefined ? null : entryText(app, productionSide(snapshot));
      return text === null ? null : parse(`${text}}`);
    }
  }
}

const vehicleDataItems = oncePer((snapshot: PolicySnapshot) => listSchemaItems(snapshot, "production", ignore));

function parse(text: string | undefined): unknown {
  return text === undefined ? null : JSON.parse(text);
}

function onlyMember(value: unknown): unknown {
  const [member = null] = typeof value === "object" && value !== null ? Object.values<unknown>({ ...value }) : [];
  return member;
}
