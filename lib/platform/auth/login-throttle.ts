import { networkOf } from "@/lib/platform/http/read/client-address";
import { processGlobal } from "@/lib/platform/process-globals";

const usual = {
  /** Failures an address may have within the window; the attempt after them is refused. */
  maxFailures: 10,
  windowMs: 60_000,
  /** Addresses remembered at once: an attacker with many must not fill the memory. */
  maxAddresses: 10_000,
  /** Milliseconds from any moment on, never going back. */
  now: () => performance.now(),
};

/** How many times as many failures as one network all networks of one customer may have. */
const maxOfSite = 5;

/** Counts failed logins per client address (`api.md` 2.1). The networks of one IPv6 /48 share five times as many. */
export class LoginThrottle {
  readonly #failures = new Map<string, number[]>();
  readonly #options: typeof usual;

  constructor(options: Partial<typeof usual> = {}) {
    this.#options = { ...usual, ...options };
  }

  /** Whether an address has used up its failures. Attempts refused for this reason count no further. */
  isBlocked(address: string): boolean {
    return this.#networksOf(address).some(({ name, max }) => this.#recentFailures(name).length >= max);
  }

  /** Whole seconds until a blocked address may try again; 0 for one that may. */
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
      // Entries stand in the order of their latest failure: the first one is the first to go.
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

const shared = processGlobal("login-throttle", () => ({ throttle: new LoginThrottle() }));

/** The throttle of this process: the login route and next-auth's own endpoint count together. */
export function loginThrottle(): LoginThrottle {
  return shared.throttle;
}

/** Forgets all failures, or puts another throttle in place. For tests. */
export function replaceLoginThrottle(throttle: LoginThrottle | null): void {
  shared.throttle = throttle ?? new LoginThrottle();
}
