import { randomBytes } from "node:crypto";

/** What differs between cars. Lists are what each phone has: its system, and which apps ask. */
export interface CarPlan {
  readonly vin: string;
  readonly software: string;
  readonly hardware: string;
  readonly language: string;
  readonly country: string;
  readonly phones: readonly { readonly system: string; readonly apps: readonly string[] }[];
  /** What the driver answers to prompts for groups. */
  readonly agrees: boolean;
}

/** The parts of a policy table that a car keeps. */
interface Table {
  readonly app_policies: Readonly<Record<string, object | string | null>>;
  readonly functional_groupings: Readonly<Record<string, Grouping>>;
  readonly consumer_friendly_messages: { readonly version: string };
  readonly module_config: object;
  readonly vehicle_data?: { readonly schema_version: string };
}
interface Grouping {
  readonly user_consent_prompt?: string;
  readonly rpcs: Readonly<Record<string, { readonly hmi_levels: string[]; readonly parameters?: string[] }>> | null;
}
interface Usage {
  minutes_in_hmi_full: number;
  count_of_user_selections: number;
  count_of_rejected_rpc_calls: number;
}

/** Before its first update, a car has what it was built with. */
const factory: Table = {
  app_policies: { default: {}, pre_DataConsent: {}, device: {} },
  functional_groupings: { "Base-factory": { rpcs: null } },
  consumer_friendly_messages: { version: "000.000.000" },
  module_config: {},
};

/** A car that asks for its policy table, takes it, is driven, and asks again with what it has (`fleet.md`). */
export class SimulatedCar {
  readonly plan: CarPlan;
  readonly usage = new Map<string, Usage>();
  #table = factory;
  readonly #phones: readonly (CarPlan["phones"][number] & { readonly id: string })[];

  constructor(plan: CarPlan) {
    this.plan = plan;
    this.#phones = plan.phones.map((phone) => ({ ...phone, id: randomBytes(32).toString("hex") }));
  }

  get apps(): readonly string[] {
    return [...new Set(this.plan.phones.flatMap(({ apps }) => apps))];
  }

  /** The groups of its table that ask the driver. */
  get prompts(): readonly string[] {
    const groups = Object.entries(this.#table.functional_groupings);
    return groups.filter(([, group]) => group.user_consent_prompt !== undefined).map(([name]) => name);
  }

  /** The shortened table that it sends. Its database gives back no order, and no message but their version. */
  request(): string {
    const { vin, software, hardware, language, country, agrees } = this.plan;
    const { functional_groupings, consumer_friendly_messages, module_config, vehicle_data } = this.#table;
    const consent_groups = Object.fromEntries(this.prompts.map((name) => [name, agrees]));
    return JSON.stringify({
      policy_table: {
        app_policies: Object.fromEntries([...this.apps, "default", "pre_DataConsent", "device"].map((id) => [id, {}])),
        functional_groupings: Object.fromEntries(Object.entries(functional_groupings).reverse().map(givenBack)),
        consumer_friendly_messages: { version: consumer_friendly_messages.version },
        ...(vehicle_data && { vehicle_data: { schema_version: vehicle_data.schema_version } }),
        module_config: { ...module_config, full_app_id_supported: true },
        module_meta: {
          ...{ vin, ccpu_version: software, hardware_version: hardware, language, wers_country_code: country },
          ...{ pt_exchanged_at_odometer_x: 1_000, ignition_cycles_since_last_exchange: 5 },
        },
        usage_and_error_counts: { count_of_iap_buffer_full: 0, app_level: Object.fromEntries(this.usage) },
        device_data: Object.fromEntries(
          this.#phones.map(({ id, system, apps }) => {
            const records = Object.fromEntries(apps.map((app) => [app, { consent_groups, input: "GUI" }]));
            return [id, { os: system, carrier: "Example", user_consent_records: records }];
          }),
        ),
      },
    });
  }

  /** Takes the answer of a policy route. @returns what it got for each of its apps */
  take(answer: string): Table["app_policies"] {
    const { data } = JSON.parse(answer) as { data: readonly [{ policy_table: Table }] };
    this.#table = data[0].policy_table;
    return this.#table.app_policies;
  }

  /** Uses its apps. `rejected`: calls of each that the head unit rejects. */
  drive(minutes: number, rejected = 0): void {
    for (const app of this.apps) {
      const used = this.usage.get(app) ?? {
        ...{ minutes_in_hmi_full: 0, count_of_user_selections: 0, count_of_rejected_rpc_calls: 0 },
      };
      used.minutes_in_hmi_full += minutes;
      used.count_of_user_selections += 1;
      used.count_of_rejected_rpc_calls += rejected;
      this.usage.set(app, used);
    }
  }
}

function givenBack([name, { user_consent_prompt, rpcs }]: readonly [string, Grouping]): [string, Grouping] {
  const given = Object.entries(rpcs ?? {}).map(([rpc, { hmi_levels, parameters }]) => {
    return [rpc, { hmi_levels: hmi_levels.toSorted(), ...(parameters && { parameters: parameters.toReversed() }) }];
  });
  const prompt = user_consent_prompt === undefined ? {} : { user_consent_prompt };
  return [
    name,
    { ...prompt, rpcs: given.length === 0 ? null : (Object.fromEntries(given.reverse()) as Grouping["rpcs"]) },
  ];
}

/** Cars that differ in everything, the same in every run. `apps`: ids of which each car has some. */
export function planCars(count: number, apps: readonly string[]): CarPlan[] {
  const pick = <T>(all: readonly T[], at: number): T => {
    const one = all[at % all.length];
    if (one === undefined) throw new TypeError("there is nothing to pick");
    return one;
  };
  return Array.from({ length: count }, (_, car) => ({
    vin: `SIMULATED${String(car).padStart(8, "0")}`,
    software: pick(["1.0", "1.0", "1.1", "2.0"], car),
    hardware: pick(["HU1", "HU2", "HU1"], car),
    language: pick(["EN-US", "DE-DE", "FR-FR"], car + 1),
    country: pick(["WAEGB", "WAEDE", "WAEUS", "WAEUS", "WAEFR"], car),
    phones: [
      { system: pick(["Android", "iOS", "Android"], car), apps: [0, 1, 2].map((at) => pick(apps, car * 3 + at * 7)) },
      ...(car % 4 === 0 ? [{ system: "iOS", apps: [pick(apps, car)] }] : []),
    ],
    agrees: car % 3 !== 0,
  }));
}
