import { networkOf } from "@/lib/http/read/network-of";
import { sharedState } from "@/lib/shared-state";

export interface ThrottleOptions {
  /** Failures an address may have within the window; the attempt after them is refused. */
  readonly mostFailures?: number;
  readonly windowMs?: number;
  /** Addresses remembered at once: an attacker with many must not fill the memory. */
  readonly mostAddresses?: number;
  /** Milliseconds from any moment on, never going back. */
  readonly now?: () => number;
}

/**
 * Counts failed logins for each client address (`api.md` 2.1). One address that guesses is refused; every other address
 * stays free, so that nobody can lock the administrator out.
 */
export class LoginThrottle {
  readonly #failures = new Map<string, number[]>();
  readonly #mostFailures: number;
  readonly #windowMs: number;
  readonly #mostAddresses: number;
  readonly #now: () => number;

  constructor({
    mostFailures = 10,
    windowMs = 60_000,
    mostAddresses = 10_000,
    now = () => performance.now(),
  }: ThrottleOptions = {}) {
    this.#mostFailures = mostFailures;
    this.#windowMs = windowMs;
    this.#mostAddresses = mostAddresses;
    this.#now = now;
  }

  /** Whether an address has used up its failures. Attempts refused for this reason count no further. */
  isBlocked(address: string): boolean {
    return this.#recentFailures(networkOf(address)).length >= this.#mostFailures;
  }

  /** Whole seconds until a blocked address may try again; 0 for one that may. */
  secondsUntilFree(address: string): number {
    const failures = this.#recentFailures(networkOf(address));
    const oldest = failures[failures.length - this.#mostFailures];
    return oldest === undefined ? 0 : Math.ceil((oldest + this.#windowMs - this.#now()) / 1000);
  }

  recordFailure(address: string): void {
    const network = networkOf(address);
    const failures = [...this.#recentFailures(network), this.#now()].slice(-this.#mostFailures);
    // Entries stand in the order of their latest failure: the first one is the first to go.
    this.#failures.delete(network);
    this.#failures.set(network, failures);
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= this.#mostAddresses) break;
      this.#failures.delete(oldest);
    }
  }

  recordSuccess(address: string): void {
    this.#failures.delete(networkOf(address));
  }

  /** Addresses remembered. */
  get size(): number {
    return this.#failures.size;
  }

  #recentFailures(network: string): number[] {
    const since = this.#now() - this.#windowMs;
    return this.#failures.get(network)?.filter((time) => time > since) ?? [];
  }
}

const shared = sharedState("login-throttle", () => ({ throttle: new LoginThrottle() }));

/** The throttle of this process: the login route and next-auth's own endpoint count together. */
export function loginThrottle(): LoginThrottle {
  return shared.throttle;
}

/** Forgets all failures, or puts another throttle in place. For tests. */
export function replaceLoginThrottle(throttle: LoginThrottle | null): void {
  shared.throttle = throttle ?? new LoginThrottle();
}
