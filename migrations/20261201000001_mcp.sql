-- When an agent was first seen over MCP: from then on its client is there to be asked and told.
alter table agents add column mounted_at timestamptz;
