//! What the protocol reaches: one agent's desk, made for one request and gone with it.

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, CreateTaskResult, CustomRequest,
    CustomResult, GetTaskParams, GetTaskResult, Implementation, InitializeRequestParams, InitializeResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
    UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::results::Answer;
use super::{misread, progress, resources, tasks, tools};
use crate::app::AppState;
use crate::auth::Agent;
use crate::error::{Error, Problem};

/// What a client tells its model of the whole.
const INSTRUCTIONS: &str = "Countersign lets a person decide before you act. Call propose before anything that needs \
    approval, go on with other work while it is pending, and ask check-proposal for the decision. Nothing is approved \
    until the answer says `approved` or `modified`.";

/// One agent, for one request.
#[derive(Clone)]
pub(super) struct Desk {
    app: AppState,
    agent: Agent,
}

impl Desk {
    pub(super) fn new(app: AppState, agent: Agent) -> Self {
        Self { app, agent }
    }

    /// A refusal, counted as those of every surface are.
    fn refuse(&self, error: Error) -> Answer {
        self.app.metrics.problem(error.code().as_str());
        error.into()
    }

    /// Runs a tool. What goes wrong inside is an answer that the model reads, a bug of ours included.
    async fn run(&self, tool: &tools::Row, args: Option<rmcp::model::JsonObject>) -> Answer {
        let call = tool.call(&self.app, &self.agent, args.unwrap_or_default());
        match AssertUnwindSafe(call).catch_unwind().await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => self.refuse(error),
            Err(_) => self.refuse(Error::Internal(format!("{} panicked", tool.name))),
        }
    }
}

/// A fault in something that is no tool, in the protocol's shape and our words.
pub(super) fn fault(error: Error) -> ErrorData {
    let Problem { code, detail, .. } = error.into();
    let data = Some(serde_json::json!({ "code": code.as_str() }));
    if code.status() < 500 { ErrorData::invalid_params(detail, data) } else { ErrorData::internal_error(detail, data) }
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_tasks()
            .build();
        let us = Implementation::new("countersign", env!("CARGO_PKG_VERSION")).with_title("Countersign");
        ServerConfig::new(capabilities).with_server_info(us).with_instructions(INSTRUCTIONS)
    }

    /// The older era subscribes within a session, and knows tasks of another shape: it is offered neither.
    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let mut result = self.negotiate_initialize(&request)?;
        result.capabilities.extensions = None;
        if let Some(resources) = &mut result.capabilities.resources {
            resources.subscribe = None;
        }
        Ok(result)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::listed().to_vec()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::listed().iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = tools::find(&request.name).ok_or_else(|| ErrorData::invalid_params("Unknown tool", None))?;
        let answer = progress::attended(&context, self.run(tool, request.arguments)).await;
        let answer = answer.ok_or_else(|| ErrorData::internal_error("The caller has hung up.", None))?;
        if let Some(open) = answer.open()
            && context.client_capabilities().is_some_and(|client| client.supports_tasks())
        {
            return Ok(CreateTaskResult::new(tasks::open(open)).into());
        }
        Ok(CallToolResult::from(answer).into())
    }

    /// What is no request of ours, or is one whose parameters cannot be read.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(misread::refuse(&request))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let listed = resources::list(&self.app, &self.agent).await.map_err(fault)?;
        Ok(ListResourcesResult::with_all_items(listed))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(vec![resources::template()]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&self.app, &self.agent, request.uri).await.map(Into::into)
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(resources::accepted(requested))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        resources::listen(&self.app, &self.agent, &context).await;
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        tasks::get(&self.app, &self.agent, &request.task_id).await.map_err(fault)
    }

    async fn update_task(&self, _: UpdateTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        Err(ErrorData::invalid_params("Nothing is asked of you here: a person decides.", None))
    }

    async fn cancel_task(&self, request: CancelTaskParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        tasks::cancel(&self.app, &self.agent, &request.task_id).await.map_err(fault)
    }
}
