import { LOCAL_ACCOUNT, LOCAL_REGION, type Template } from './cloudformation.ts';

/** What `Ref` and `Fn::GetAtt` of each resource give. */
export interface ResourceValues {
  ref: string;
  attributes: Record<string, string>;
}

const NO_VALUE = Symbol('AWS::NoValue');

const PSEUDO_PARAMETERS: Readonly<Record<string, unknown>> = {
  'AWS::Region': LOCAL_REGION,
  'AWS::AccountId': LOCAL_ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::StackName': 'local',
  'AWS::StackId': `arn:aws:cloudformation:${LOCAL_REGION}:${LOCAL_ACCOUNT}:stack/local/local`,
  'AWS::NotificationARNs': [],
  'AWS::NoValue': NO_VALUE,
};

/** Evaluates CloudFormation's intrinsic functions against the resources that exist locally. */
export class Intrinsics {
  constructor(
    private readonly template: Template,
    private readonly resources: ReadonlyMap<string, ResourceValues>,
  ) {}

  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((v) => this.resolve(v)).filter((v) => v !== NO_VALUE);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [name, argument] = entries[0] ?? [];
    if (entries.length === 1 && name !== undefined && isCall(name, argument))
      return this.call(name, argument);
    const resolved = entries.map(([key, v]) => [key, this.resolve(v)] as const);
    return Object.fromEntries(resolved.filter(([, v]) => v !== NO_VALUE));
  }

  resolveString(value: unknown): string {
    const resolved = this.resolve(value);
    if (typeof resolved === 'string') return resolved;
    throw new Error(`Expected ${JSON.stringify(value)} to resolve to a string.`);
  }

  condition(name: string): boolean {
    const definition = this.template.Conditions?.[name];
    if (definition === undefined) throw new Error(`The template has no condition "${name}".`);
    return Boolean(this.resolve(definition));
  }

  private call(name: string, argument: unknown): unknown {
    switch (name) {
      case 'Ref':
        return this.ref(argument as string);
      case 'Condition':
        return this.condition(argument as string);
      case 'Fn::GetAtt':
        return this.attribute(argument as string | [string, string]);
      case 'Fn::Join': {
        const [separator, parts] = argument as [string, unknown];
        return (this.resolve(parts) as unknown[]).join(separator);
      }
      case 'Fn::Select': {
        const [index, list] = argument as [number | string, unknown];
        return present((this.resolve(list) as unknown[])[Number(index)], name, argument);
      }
      case 'Fn::Split': {
        const [separator, text] = argument as [string, unknown];
        return this.resolveString(text).split(separator);
      }
      case 'Fn::Sub':
        return this.substitute(argument as string | [string, Record<string, unknown>]);
      case 'Fn::If': {
        const [condition, yes, no] = argument as [string, unknown, unknown];
        return this.resolve(this.condition(condition) ? yes : no);
      }
      case 'Fn::Equals': {
        const [left, right] = this.resolve(argument) as [unknown, unknown];
        return String(left) === String(right);
      }
      case 'Fn::Not':
        return !(this.resolve(argument) as [unknown])[0];
      case 'Fn::And':
        return (this.resolve(argument) as unknown[]).every(Boolean);
      case 'Fn::Or':
        return (this.resolve(argument) as unknown[]).some(Boolean);
      case 'Fn::FindInMap': {
        const [map, first, second] = this.resolve(argument) as [string, string, string];
        return present(this.template.Mappings?.[map]?.[first]?.[second], name, argument);
      }
      default:
        throw new Error(`The local runner does not know the intrinsic function ${name}.`);
    }
  }

  private ref(id: string): unknown {
    if (id in PSEUDO_PARAMETERS) return PSEUDO_PARAMETERS[id];
    const parameter = this.template.Parameters?.[id];
    if (parameter) return parameter.Default ?? '';
    const resource = this.resources.get(id);
    if (!resource) throw new Error(`Ref to "${id}", which does not exist locally.`);
    return resource.ref;
  }

  private attribute(argument: string | [string, string]): string {
    const [id, ...path] = Array.isArray(argument) ? argument : argument.split('.');
    const attribute = path.join('.');
    const value = this.resources.get(id ?? '')?.attributes[attribute];
    if (value === undefined)
      throw new Error(`Fn::GetAtt of "${id}.${attribute}", which does not exist locally.`);
    return value;
  }

  private substitute(argument: string | [string, Record<string, unknown>]): string {
    const [text, variables] = typeof argument === 'string' ? [argument, {}] : argument;
    return text.replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (name in variables) return String(this.resolve(variables[name]));
      return String(name.includes('.') ? this.attribute(name) : this.ref(name));
    });
  }
}

/** An IAM statement has a `Condition` too, which is an object and no reference to one of the template's. */
function isCall(key: string, argument: unknown): boolean {
  return key === 'Ref' || (key === 'Condition' && typeof argument === 'string') || key.startsWith('Fn::');
}

function present(value: unknown, name: string, argument: unknown): unknown {
  if (value === undefined) throw new Error(`${name} of ${JSON.stringify(argument)} finds nothing.`);
  return value;
}
