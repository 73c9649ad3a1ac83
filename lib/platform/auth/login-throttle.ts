"one per process";

import { networkOf } from "@/lib/platform/http/read/client-address";

const usual = {
  maxFailures: 10,
  windowMs: 60_000,
  /** Addresses in memory, so that an attacker with many addresses cannot fill it. */
  maxAddresses: 10_000,
  now: () => performance.now(),
};

/** All networks of one site may together have this many times the failures of one network. */
const maxOfSite = 5;

/** Counts failed logins per client address (`api.md` 2.1). The networks of one IPv6 /48 share five times as many. */
export class LoginThrottle {
  readonly #failures = new Map<string, number[]>();
  readonly #options: typeof usual;

  constructor(options: Partial<typeof usual> = {}) {
    this.#options = { ...usual, ...options };
  }

  isBlocked(address: string): boolean {
    return this.#networksOf(address).some(({ name, max }) => this.#recentFailures(name).length >= max);
  }

  secondsUntilFree(address: string): number {
    const waits = this.#networksOf(address).map(({ name, max }) => {
      const failures = this.#recentFailures(name);
      const oldest = failures[failures.length - max];
      return oldest === undefined ? 0 : Math.ceil((oldest + this.#options.windowMs - this.#options.now()) / 1000);
    });
    return Math.max(...waits);
  }

  recordFailure(address: string): void {
    for (const { name, max } of this.#networksOf(address)) {
      const failures = [...this.#recentFailures(name), this.#options.now()].slice(-max);
      // Entries are sorted by latest failure, so the first one is evicted first.
      this.#failures.delete(name);
      this.#failures.set(name, failures);
    }
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= this.#options.maxAddresses) break;
      this.#failures.delete(oldest);
    }
  }

  recordSuccess(address: string): void {
    this.#failures.delete(networkOf(address));
  }

  get size(): number {
    return this.#failures.size;
  }

  #networksOf(address: string): { readonly name: string; readonly max: number }[] {
    const [own, site] = [networkOf(address), networkOf(address, 48)];
    const client = { name: own, max: this.#options.maxFailures };
    return own === site ? [client] : [client, { name: site, max: this.#options.maxFailures * maxOfSite }];
  }

  #recentFailures(network: string): number[] {
    const since = this.#options.now() - this.#options.windowMs;
    return this.#failures.get(network)?.filter((time) => time > since) ?? [];
  }
}

let current = new LoginThrottle();

export function loginThrottle(): LoginThrottle {
  return current;
}

export function replaceLoginThrottle(throttle: LoginThrottle | null): void {
  current = throttle ?? new LoginThrottle();
}
