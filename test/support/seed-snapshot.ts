import { buildGroups, buildSeedModuleConfig } from "@/lib/exchange/seed/rules";
import { readSeed, buildRpcSpecification } from "@/lib/exchange/seed/files";
import { seedFiles } from "@/lib/exchange/seed/schema";
import { notificationPriorities, type NotificationPriority } from "@/lib/vocabulary/terms";
import type { PolicySnapshot, SnapshotApp } from "@/lib/policy/table/snapshot";
import {
  aCatalogue,
  aMessage,
  aMessageLanguage,
  aModuleConfig,
  anApp,
  anAppVersion,
  anRpcSpec,
  aSnapshot,
  inBothViews,
} from "./builders";

const root = process.cwd();

export async function seedSnapshot(apps: readonly SnapshotApp[]): Promise<PolicySnapshot> {
  const groups = buildGroups(await readSeed(root, seedFiles.functionalGroups));
  const { categories } = await readSeed(root, seedFiles.consumerMessages);
  const messages = categories.map(({ name, languages }, at) =>
    aMessage({
      id: at + 1,
      category: name,
      languages: Object.entries(languages).map(([languageId, texts]) =>
        aMessageLanguage({
          languageId,
          tts: texts.tts ?? null,
          line1: texts.line1 ?? null,
          line2: texts.line2 ?? null,
          textBody: texts.textBody ?? null,
          label: texts.label ?? null,
        }),
      ),
    }),
  );
  const config = buildSeedModuleConfig(await readSeed(root, seedFiles.moduleConfig), "https://policy.example.com");
  const storedAt = new Date(Date.UTC(2026, 0, 10));
  const specification = buildRpcSpecification(await readSeed(root, seedFiles.rpcSpec), storedAt);
  const permissions = await readSeed(root, seedFiles.permissions);
  return aSnapshot({
    groups: inBothViews(...groups.map((group, at) => ({ ...group, id: at + 1, isDeleted: false }))),
    messages: inBothViews(...messages),
    moduleConfigs: inBothViews(
      aModuleConfig({
        ...config,
        notificationsPerMinute: byPriority(config.notificationsPerMinute),
        subtleNotificationsPerMinute: byPriority(config.subtleNotificationsPerMinute),
      }),
    ),
    rpcSpec: anRpcSpec({
      version: specification.version,
      structs: specification.structs.map(({ name, params }) => ({ name, params: params.map(withoutAbsent) })),
      functions: specification.functions.map(({ name, messageType, params }) => ({
        name,
        messageType,
        params: params.map(withoutAbsent),
      })),
    }),
    permissions: permissions.map(({ key, type, function_id, parents }) => ({
      name: key,
      type,
      functionId: function_id,
      parents,
    })),
    apps: aCatalogue(apps),
  });
}

function byPriority(numbers: Record<string, number>) {
  const entries = notificationPriorities.map((name) => [name, numbers[name] ?? 0] as const);
  return Object.fromEntries(entries) as { [priority in NotificationPriority]: number };
}

function withoutAbsent<T extends object>(param: T) {
  return Object.fromEntries(Object.entries(param).filter(([, value]) => value !== undefined)) as {
    [key in keyof T]: Exclude<T[key], undefined>;
  };
}

export async function seedApps(count: number): Promise<SnapshotApp[]> {
  const samples = await readSeed(root, seedFiles.exampleApps);
  const { service_types } = await readSeed(root, seedFiles.appServices);
  return Array.from({ length: count }, (_, at) => {
    const sample = samples[at % samples.length];
    if (!sample) throw new RangeError("the first data hold no apps");
    return anApp({
      uuid: seedUuid(at),
      versions: [
        anAppVersion({
          id: at + 1,
          displayNames: sample.display_names,
          canStealFocus: sample.can_steal_focus,
          canBackgroundAlert: sample.can_background_alert,
          iconUrl: sample.icon_url,
          cloudEndpoint: sample.cloud_endpoint,
          cloudTransportType: sample.cloud_transport_type,
          caCertificate: sample.ca_certificate,
          categories: sample.categories.map(({ id, name }) => ({ id, name })),
          services: sample.services.map(({ name, service_names }) => ({
            name,
            serviceNames: service_names,
            selectedPermissions: (service_types.find((type) => type.name === name)?.handled_rpcs ?? []).map(
              (rpc) => rpc.name,
            ),
          })),
          permissions: sample.permissions.map(({ key, hmi_level }) => ({ key, hmiLevel: hmi_level })),
        }),
      ],
    });
  });
}

export function seedUuid(at: number): string {
  return `${at.toString(16).padStart(8, "0")}-aaaa-4bbb-8ccc-000000000000`;
}
