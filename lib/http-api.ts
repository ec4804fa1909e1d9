import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  type HttpMethod,
  HttpNoneAuthorizer,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaAuthorizer, HttpLambdaResponseType } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Function } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { routes } from '../lambdas/api/routes.ts';
import type { DeployConfig } from './config.ts';

export interface GatewayHttpApiProps {
  readonly config: DeployConfig;
  readonly authorizer: Function;
  readonly api: Function;
}

/** No header values: an API key must not reach a log. */
const ACCESS_LOG_FIELDS = {
  requestId: '$context.requestId',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  responseLength: '$context.responseLength',
  sourceIp: '$context.identity.sourceIp',
  requestTime: '$context.requestTime',
  error: '$context.error.message',
  authorizerError: '$context.authorizer.error',
  integrationError: '$context.integrationErrorMessage',
};

/** The HTTPS endpoint that partners call: the routes of the api behind the authorizer. */
export class GatewayHttpApi extends Construct {
  readonly url: string;

  constructor(scope: Construct, id: string, { config, authorizer, api }: GatewayHttpApiProps) {
    super(scope, id);
    const httpApi = new HttpApi(this, 'Api', {
      description: `Email Gateway (${config.stage})`,
      createDefaultStage: false,
    });
    const integration = new HttpLambdaIntegration('Integration', api, { scopePermissionToRoute: false });
    // API Gateway answers a bare 401 of its own when an identity source is missing, and needs one to
    // cache. So there is none, and the authorizer keeps its verdicts itself.
    const keyAuthorizer = new HttpLambdaAuthorizer('KeyAuthorizer', authorizer, {
      responseTypes: [HttpLambdaResponseType.SIMPLE],
      identitySource: [],
      resultsCacheTtl: Duration.seconds(0),
    });
    for (const { method, path, auth } of routes) {
      const route = new HttpRoute(this, `${method} ${path}`, {
        httpApi,
        integration,
        routeKey: HttpRouteKey.with(path, method as HttpMethod),
        authorizer: auth ? keyAuthorizer : new HttpNoneAuthorizer(),
      });
      if (!auth) acknowledgeOpenRoute(route, 'Open on purpose: routes.ts says so.');
    }
    const everythingElse = new HttpRoute(this, 'EverythingElse', {
      httpApi,
      integration,
      routeKey: HttpRouteKey.DEFAULT,
    });
    acknowledgeOpenRoute(everythingElse, 'Only ever answers 404 or 405, as a problem document.');

    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stage = new HttpStage(this, 'Stage', {
      httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: config.requestRate, burstLimit: config.requestBurst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FIELDS)),
      },
    });
    this.url = stage.url;
  }
}

function acknowledgeOpenRoute(route: HttpRoute, reason: string): void {
  Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason });
}
