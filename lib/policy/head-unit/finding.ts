/** A path in a policy table, formatted only for findings. */
interface Path {
  readonly parent: Path | null;
  readonly step: string | number;
}

/** `regular` = build modes PROPRIETARY and HTTP, `external` = EXTERNAL_PROPRIETARY. */
export type HeadUnitBuild = "regular" | "external" | "both";

/**
 * `refused`: the head unit discards the update. `stranded`: it accepts it, and after its next start never requests
 * another. `corrected`: it replaces or drops the value. `danger`: it accepts it, with a probably unintended effect.
 */
export type HeadUnitSeverity = (typeof headUnitSeverities)[number];

/** Worst first. */
export const headUnitSeverities = ["refused", "stranded", "danger", "corrected"] as const;

/** Whether a table with this finding must not reach vehicles: they refuse it, or accept no other table after it. */
export function isUnfit({ severity }: Pick<HeadUnitFinding, "severity">): boolean {
  return severity === "refused" || severity === "stranded";
}

export interface HeadUnitFinding {
  readonly build: HeadUnitBuild;
  readonly severity: HeadUnitSeverity;
  /** Path of the value, e.g. `app_policies.x.groups[0]`; empty for the table itself. */
  readonly path: string;
  /** Section and row of the head unit rules, e.g. `4 app_policies: groups`. */
  readonly rule: string;
  readonly message: string;
}

const builds: Readonly<Record<HeadUnitBuild, string>> = {
  both: "A head unit",
  regular: "A head unit of build mode PROPRIETARY or HTTP",
  external: "A head unit of build mode EXTERNAL_PROPRIETARY",
};

export class Spot {
  private constructor(
    private readonly findings: HeadUnitFinding[],
    private readonly path: Path | null,
    private readonly rule: string,
    private readonly build: HeadUnitBuild,
  ) {}

  static root(findings: HeadUnitFinding[], rule: string): Spot {
    return new Spot(findings, null, rule, "both");
  }

  /** The spot of a member or element; keeps the rule unless another is given. */
  at(step: string | number, rule: string = this.rule): Spot {
    return new Spot(this.findings, { parent: this.path, step }, rule, this.build);
  }

  for(build: HeadUnitBuild): Spot {
    return new Spot(this.findings, this.path, this.rule, build);
  }

  under(rule: string): Spot {
    return new Spot(this.findings, this.path, rule, this.build);
  }

  refuse(why: string): void {
    this.add("refused", `refuses the whole update: ${why}`);
  }

  /** For values that the strict build accepts but cannot read back from its own database (rules C6 to C11). */
  strand(why: string): void {
    this.for("external").add("stranded", `takes the update and asks for none after its next start: ${why}`);
  }

  correct(what: string): void {
    this.add("corrected", what);
  }

  warn(what: string): void {
    this.add("danger", what);
  }

  private add(severity: HeadUnitSeverity, text: string): void {
    const message = `${builds[this.build]} ${text}.`;
    this.findings.push({ build: this.build, severity, path: pathText(this.path), rule: this.rule, message });
  }
}

function pathText(path: Path | null): string {
  const steps: string[] = [];
  for (let place = path; place !== null; place = place.parent) steps.unshift(stepText(place.step));
  return steps.join("").replace(/^\./, "");
}

function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
