import type { Figure, Sample } from "@/lib/platform/process/process-figures";

const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

interface Counted {
  readonly byStatus: Map<string | number, number>;
  readonly counts: number[];
  sum: number;
}

/** Cheap, because every vehicle request pays for it. Series start at zero, or Prometheus misses the first increase. */
export class RequestTally {
  readonly #byKind = new Map<string, Counted>();

  constructor(kinds: readonly string[], statuses: readonly (string | number)[]) {
    for (const kind of kinds) for (const status of statuses) this.#begin(kind).byStatus.set(status, 0);
  }

  observe(kind: string, status: string | number, milliseconds: number): void {
    const counted = this.#begin(kind);
    counted.byStatus.set(status, (counted.byStatus.get(status) ?? 0) + 1);
    const seconds = milliseconds / 1000;
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++;
    counted.counts[at] = (counted.counts[at] ?? 0) + 1;
    counted.sum += seconds;
  }

  figures(label: string, requests: Named, seconds: Named): readonly Figure[] {
    return [
      { ...requests, type: "counter", read: () => this.#countSamples(label) },
      { ...seconds, type: "histogram", read: () => this.#timeSamples(label, seconds.name) },
    ];
  }

  #begin(kind: string): Counted {
    const known = this.#byKind.get(kind);
    if (known !== undefined) return known;
    const counted = { byStatus: new Map<string | number, number>(), counts: [...bounds, 0].map(() => 0), sum: 0 };
    this.#byKind.set(kind, counted);
    return counted;
  }

  #countSamples(label: string): readonly Sample[] {
    return [...this.#byKind].flatMap(([kind, { byStatus }]) =>
      [...byStatus].map(([status, value]) => ({ labels: { [label]: kind, status }, value })),
    );
  }

  #timeSamples(label: string, name: string): readonly Sample[] {
    return [...this.#byKind].flatMap(([kind, { counts, sum }]) => {
      const labels = { [label]: kind };
      let value = 0;
      const buckets = counts.map((count, at) => {
        value += count;
        return { name: `${name}_bucket`, labels: { le: bounds[at] ?? "+Inf", ...labels }, value };
      });
      return [...buckets, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value }];
    });
  }
}

interface Named {
  readonly name: string;
  readonly help: string;
}

export const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

/** The class of a status, e.g. `2xx`, to limit the number of series. */
export function statusClass(status: number): string {
  return `${Math.trunc(status / 100)}xx`;
}
