import { readConfig, type DeployConfig } from '../../lib/config.ts';
import type { Room } from '../../lib/bundle.ts';
import {
  synthesise,
  type CloudFormationResource,
  type CloudFormationTemplate,
} from '../../lib/synthesise.ts';

export interface NamedResource extends CloudFormationResource {
  readonly id: string;
}

export function aConfig(values: Record<string, unknown> = {}): DeployConfig {
  return readConfig((key) => values[key]);
}

/** Questions that the tests ask of a synthesised template. */
export class TemplateUnderTest {
  readonly template: CloudFormationTemplate;

  constructor(values: Record<string, unknown> = {}) {
    this.template = synthesise(aConfig(values)).template;
  }

  all(type?: string): NamedResource[] {
    return Object.entries(this.template.Resources)
      .map(([id, resource]) => ({ id, ...resource }))
      .filter((resource) => type === undefined || resource.Type === type);
  }

  /** The one resource of its type whose logical id starts with `prefix`. */
  one(type: string, prefix = ''): NamedResource {
    const found = this.all(type).filter((resource) => resource.id.startsWith(prefix));
    if (found.length !== 1) throw new Error(`${found.length} resources of ${type} start with "${prefix}"`);
    return found[0]!;
  }

  functionOf(room: Room): NamedResource {
    const found = this.all('AWS::Lambda::Function').find(
      (each) => each.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME === room,
    );
    if (!found) throw new Error(`no function for ${room}`);
    return found;
  }

  /** Every statement of every policy that is attached to the room's role. */
  statementsOf(room: Room): Statement[] {
    const roleId = this.functionOf(room).Properties.Role['Fn::GetAtt'][0];
    return this.all('AWS::IAM::Policy')
      .filter((policy) => policy.Properties.Roles.some((role: { Ref: string }) => role.Ref === roleId))
      .flatMap((policy) => policy.Properties.PolicyDocument.Statement)
      .map(({ Effect, Action, Resource }) => ({
        effect: Effect,
        actions: [Action].flat(),
        resources: [Resource].flat().map(readable),
      }));
  }
}

export interface Statement {
  readonly effect: string;
  readonly actions: string[];
  readonly resources: string[];
}

/** An ARN expression as text, without the hash of logical ids: `<EmailTable.Arn>/index/workset`. */
export function readable(expression: unknown): string {
  if (typeof expression === 'string') return expression;
  const { Ref: ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = expression as Record<string, unknown>;
  if (typeof ref === 'string') return `<${withoutHash(ref)}>`;
  if (Array.isArray(attribute)) return `<${withoutHash(attribute[0])}.${attribute[1]}>`;
  if (Array.isArray(join)) return (join[1] as unknown[]).map(readable).join(join[0] as string);
  throw new Error(`cannot read ${JSON.stringify(expression)}`);
}

export function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}
