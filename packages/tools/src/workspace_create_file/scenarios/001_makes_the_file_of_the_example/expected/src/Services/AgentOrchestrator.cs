using System;

public class AgentOrchestrator { }
