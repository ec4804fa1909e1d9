import type { Resource, Template } from './cloudformation.ts';
import { Intrinsics, type ResourceValues } from './intrinsics.ts';
import { localValues } from './local-values.ts';
import { assertEveryTypeIsKnown } from './resource-types.ts';

export interface LocalResource {
  readonly id: string;
  readonly type: string;
  /** With every intrinsic resolved, so read it only once what it refers to exists. */
  properties(): Readonly<Record<string, unknown>>;
}

/** A synthesised template seen as the resources of one machine. */
export class Stack {
  private readonly values = new Map<string, ResourceValues>();
  private readonly intrinsics: Intrinsics;
  private readonly resources: ReadonlyArray<[string, Resource]>;

  constructor(private readonly template: Template) {
    assertEveryTypeIsKnown(template);
    this.intrinsics = new Intrinsics(template, this.values);
    this.resources = Object.entries(template.Resources).filter(
      ([, resource]) => resource.Condition === undefined || this.intrinsics.condition(resource.Condition),
    );
    for (const [id, resource] of this.resources) this.values.set(id, localValues(id, resource));
  }

  ofType(...types: string[]): LocalResource[] {
    return this.resources
      .filter(([, resource]) => types.includes(resource.Type))
      .map(([id, resource]) => ({
        id,
        type: resource.Type,
        properties: () =>
          this.intrinsics.resolve(withoutAssetLocation(resource)) as Readonly<Record<string, unknown>>,
      }));
  }

  /** What `Ref` gives: a name, an ARN or, for a queue, its URL. */
  ref(id: string): string {
    return this.valuesOf(id).ref;
  }

  attribute(id: string, name: string): string {
    return this.intrinsics.resolveString({ 'Fn::GetAtt': [id, name] });
  }

  /** For what is known only once the resource exists: a stream ARN, a queue URL, the API's address. */
  learn(id: string, known: { ref?: string; attributes?: Record<string, string> }): void {
    const values = this.valuesOf(id);
    if (known.ref !== undefined) values.ref = known.ref;
    Object.assign(values.attributes, known.attributes);
  }

  /** Null for an output that the template does not have. */
  output(name: string): string | null {
    const output = this.template.Outputs?.[name];
    return output ? this.intrinsics.resolveString(output.Value) : null;
  }

  private valuesOf(id: string): ResourceValues {
    const values = this.values.get(id);
    if (!values) throw new Error(`The template has no resource "${id}".`);
    return values;
  }
}

/** Code comes from the asset on disk; its bucket exists only in AWS. */
function withoutAssetLocation({ Type, Properties = {} }: Resource): Record<string, unknown> {
  if (Type !== 'AWS::Lambda::Function') return Properties;
  return Object.fromEntries(Object.entries(Properties).filter(([key]) => key !== 'Code'));
}
