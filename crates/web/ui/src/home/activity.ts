// What a running session does, gathered from its events.

export interface Activity {
  /** The calls that have started and not ended, oldest first. */
  calls: { id: string; tool: string; title: string; startedAt: string | null }[];
  contextPercent: number | null;
  costUsd: string | null;
  status: string | null;
}

export const IDLE: Activity = { calls: [], contextPercent: null, costUsd: null, status: null };

/** An event as it arrives; only these members are read. */
export interface WatchEvent {
  event: string;
  session_id?: string;
  agent_id?: string | null;
  id?: string;
  tool?: string;
  title?: string;
  timestamp?: string | null;
  status?: string;
  cost_usd?: string;
  context?: { tokens: number; limit: number | null; used_percent: number | null } | null;
}

/** What the session does after an event. */
export function after(activity: Activity, event: WatchEvent): Activity {
  switch (event.event) {
    case 'call_started': {
      const call = { id: event.id ?? '', tool: event.tool ?? '', title: event.title ?? '', startedAt: event.timestamp ?? null };
      return { ...activity, calls: [...activity.calls.filter(one => one.id !== call.id), call] };
    }
    case 'call_ended':
      return { ...activity, calls: activity.calls.filter(one => one.id !== event.id) };
    case 'status':
      return { ...activity, status: event.status ?? activity.status };
    case 'session_ended':
      return { ...activity, calls: [], status: 'ended' };
    case 'usage': {
      // Sub-agents have windows of their own; the session's is that of the main transcript.
      const isMain = !event.agent_id;
      const percent = isMain && event.context ? event.context.used_percent : activity.contextPercent;
      return { ...activity, contextPercent: percent, costUsd: isMain ? (event.cost_usd ?? activity.costUsd) : activity.costUsd };
    }
    default:
      return activity;
  }
}
