import { describe, expect, it } from 'vitest';
import { routes } from '../../lambdas/api/routes.ts';
import { TemplateUnderTest } from './template.ts';

const stack = new TemplateUnderTest({ requestRate: 33, requestBurst: 44, logRetentionDays: 90 });
const authorizer = stack.one('AWS::ApiGatewayV2::Authorizer');
const integration = stack.one('AWS::ApiGatewayV2::Integration');
const stage = stack.one('AWS::ApiGatewayV2::Stage').Properties;

function route(key: string) {
  return stack.all('AWS::ApiGatewayV2::Route').find((each) => each.Properties.RouteKey === key)?.Properties;
}

describe('the HTTP API', () => {
  it.each(routes.map((each) => [`${each.method} ${each.path}`, each.auth]))(
    'has %s, authorised: %s',
    (key, auth) => {
      expect(route(key)).toMatchObject(
        auth
          ? { AuthorizationType: 'CUSTOM', AuthorizerId: { Ref: authorizer.id } }
          : { AuthorizationType: 'NONE' },
      );
    },
  );

  it('sends everything else to the api without a key, to be answered with a problem', () => {
    expect(route('$default')).toMatchObject({ AuthorizationType: 'NONE' });
    expect(stack.all('AWS::ApiGatewayV2::Route')).toHaveLength(routes.length + 1);
  });

  it('is served by the api', () => {
    expect(integration.Properties).toMatchObject({
      IntegrationType: 'AWS_PROXY',
      PayloadFormatVersion: '2.0',
      IntegrationUri: { 'Fn::GetAtt': [stack.functionOf('api').id, 'Arn'] },
    });
    for (const each of stack.all('AWS::ApiGatewayV2::Route')) {
      expect(each.Properties.Target['Fn::Join'][1]).toEqual(['integrations/', { Ref: integration.id }]);
    }
  });

  it('answers before API Gateway gives up after 30 seconds', () => {
    const [authorizerTimeout, apiTimeout] = (['authorizer', 'api'] as const).map(
      (room) => stack.functionOf(room).Properties.Timeout as number,
    );
    expect(authorizerTimeout! + apiTimeout!).toBeLessThan(30);
  });

  it('is throttled as configured', () => {
    expect(stage.DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: 33, ThrottlingBurstLimit: 44 });
  });
});

describe('the authorizer of the HTTP API', () => {
  it('answers simply, and runs even without a key so that the api can explain the 401', () => {
    expect(authorizer.Properties).toMatchObject({
      AuthorizerType: 'REQUEST',
      AuthorizerPayloadFormatVersion: '2.0',
      EnableSimpleResponses: true,
      IdentitySource: [],
      AuthorizerResultTtlInSeconds: 0,
    });
  });

  it('is the authorizer room', () => {
    const uri = authorizer.Properties.AuthorizerUri['Fn::Join'][1];
    expect(uri).toContainEqual({ 'Fn::GetAtt': [stack.functionOf('authorizer').id, 'Arn'] });
  });

  it.each(['authorizer', 'api'] as const)('API Gateway may invoke the %s', (room) => {
    const permissions = stack
      .all('AWS::Lambda::Permission')
      .filter((each) => each.Properties.FunctionName['Fn::GetAtt'][0] === stack.functionOf(room).id);
    expect(permissions.map((each) => each.Properties.Principal)).toEqual(['apigateway.amazonaws.com']);
  });
});

describe('the access log', () => {
  const format = JSON.parse(stage.AccessLogSettings.Format) as Record<string, string>;

  it('is kept as long as the other logs', () => {
    const group = stack.one('AWS::Logs::LogGroup', 'HttpApiAccessLogs');
    expect(stage.AccessLogSettings.DestinationArn).toEqual({ 'Fn::GetAtt': [group.id, 'Arn'] });
    expect(group.Properties.RetentionInDays).toBe(90);
  });

  it('has what an operator asks for', () => {
    expect(Object.keys(format)).toEqual(
      expect.arrayContaining(['requestId', 'routeKey', 'status', 'responseLatency']),
    );
  });

  it('has no header values, for one of them is the API key', () => {
    expect(Object.values(format).filter((value) => /header/i.test(value))).toEqual([]);
  });
});
