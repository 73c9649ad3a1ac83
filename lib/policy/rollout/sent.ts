"one per process";

/** The longest VIN, device id or version that counts, in bytes as sent. */
export const longestName = 255;

/**
 * What a request holds from one byte to another: the JSON of an object, or of a text without its quotes. Building values
 * that nobody needs would cost every answer. Not to be kept.
 */
export class Sent {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;

  constructor(bytes: Buffer, from: number, to: number) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
  }

  /** A text that was not sent as JSON. */
  static of(text: string): Sent {
    const bytes = Buffer.from(JSON.stringify(text));
    return new Sent(bytes, 1, bytes.length - 1);
  }

  get length(): number {
    return this.to - this.from;
  }

  copy(): Buffer {
    return Buffer.from(this.bytes.subarray(this.from, this.to));
  }

  equals(other: Buffer): boolean {
    if (other.length !== this.length) return false;
    // Calls out of JavaScript take longer than comparing a version.
    if (other.length > 32) return this.bytes.compare(other, 0, other.length, this.from, this.to) === 0;
    for (let at = 0; at < other.length; at++) if (other[at] !== this.bytes[this.from + at]) return false;
    return true;
  }

  get text(): string {
    return JSON.parse(`"${this.bytes.toString("utf8", this.from, this.to)}"`) as string;
  }
}

/**
 * What a rollout depends on in a request (`fleet.md` S12); of the devices, the least id. Null: not sent, malformed, or the
 * groups of a form. Never stored or logged, and not to be kept beyond the request.
 */
export class VehicleFacts {
  vin: Sent | null = null;
  device: Sent | null = null;
  country: Sent | null = null;
  software: Sent | null = null;
  hardware: Sent | null = null;
  groups: Sent | null = null;
  messagesVersion: Sent | null = null;
  schemaVersion: Sent | null = null;

  clear(): void {
    this.vin = this.device = this.country = this.software = this.hardware = null;
    this.groups = this.messagesVersion = this.schemaVersion = null;
  }
}

/** A text that tells something; else null. */
export const telling = (sent: Sent | null) =>
  sent !== null && sent.length > 0 && sent.length <= longestName ? sent : null;
