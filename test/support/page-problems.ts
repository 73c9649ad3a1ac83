import type { ConsoleMessage, Page } from "playwright-core";

export class PageProblems {
  readonly #found: string[] = [];
  readonly #allowed: RegExp[] = [];

  /** `origins`: those that the page may access, the server's first. */
  constructor(page: Page, origins: readonly string[]) {
    const isOwn = (url: string) => url.startsWith(`${origins[0]}/`);
    const isAllowed = (url: string) => origins.some((origin) => url.startsWith(`${origin}/`));
    page.on("console", (message) => {
      if (isTrouble(message) && !isMissingIcon(message, isOwn))
        this.#add(`console ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.#add(`page error: ${describe(error)}`));
    page.on("request", (request) => {
      const isPicture = request.resourceType() === "image";
      if (!isAllowed(request.url()) && !isPicture && !request.url().startsWith("data:"))
        this.#add(`request to another origin: ${request.url()}`);
    });
    page.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "unknown";
      if (isOwn(request.url()) && !harmless.has(reason))
        this.#add(`request failed: ${request.method()} ${request.url()}: ${reason}`);
    });
    page.on("response", (response) => {
      if (isOwn(response.url()) && response.status() >= 400)
        this.#add(`answer ${response.status()}: ${response.request().method()} ${response.url()}`);
    });
  }

  allow(...patterns: readonly RegExp[]): void {
    this.#allowed.push(...patterns);
  }

  list(): string[] {
    return this.#found.filter((problem) => !this.#allowed.some((pattern) => pattern.test(problem)));
  }

  #add(problem: string): void {
    this.#found.push(problem);
  }
}

/** Canceled prefetches, and those skipped without scripts; a real violation is an error on the console. */
const harmless: ReadonlySet<string> = new Set(["net::ERR_ABORTED", "csp"]);

/**
 * Errors without code in their stack, such as those that React builds from what the server has sent, have an empty stack.
 * Thrown values that are not errors have no name.
 */
function describe({ name, message, stack }: Error): string {
  return stack ? stack : `${name === "" ? "a value" : name} without a stack: ${message}`;
}

function isTrouble(message: ConsoleMessage): boolean {
  return message.type() === "error" || message.type() === "warning" || message.type() === "assert";
}

/** App icons are on other hosts, which tests do not access: see `openConsole`. */
function isMissingIcon(message: ConsoleMessage, isOwn: (url: string) => boolean): boolean {
  return (
    message.text().startsWith("Failed to load resource") &&
    /^https?:/.test(message.location().url) &&
    !isOwn(message.location().url)
  );
}
