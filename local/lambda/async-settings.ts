import type { Stack } from '../template/stack.ts';
import type { AsyncSettings } from './async-invoker.ts';

/** Reads the template's EventInvokeConfigs; a function without one has Lambda's two retries. */
export function asyncSettings(stack: Stack): (functionArn: string) => AsyncSettings {
  const configured = new Map<string, AsyncSettings>();
  for (const resource of stack.ofType('AWS::Lambda::EventInvokeConfig')) {
    const properties = resource.properties() as {
      FunctionName: string;
      MaximumRetryAttempts?: number;
      DestinationConfig?: { OnFailure?: { Destination?: string } };
    };
    const onFailure = properties.DestinationConfig?.OnFailure?.Destination;
    configured.set(properties.FunctionName, {
      maximumRetryAttempts: properties.MaximumRetryAttempts ?? 2,
      ...(onFailure !== undefined && { onFailure }),
    });
  }
  // A function is named here by its name, in a rule by its ARN.
  return (functionArn) =>
    configured.get(functionArn) ??
    configured.get(functionArn.split(':').at(-1) ?? '') ?? { maximumRetryAttempts: 2 };
}
