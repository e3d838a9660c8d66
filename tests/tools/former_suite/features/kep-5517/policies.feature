@profile:kep-future
Feature: How accounting policies count what claims take
  A sketch of the document for later. A claim adds to what containers request, is the larger of both, or is a pool
  that they take from.

  Background:
    Given a device class "pooled" that selects
      """
      device.driver == "dra.example.com"
      """

  Rule: Who says how an amount is counted

    @case:the-policies-of-a-class-are-stored-with-the-mark
    @KEP-5517/policy-precedence/class-as-fallback
    Scenario: The policies of a class are stored, with the mark that it manages resources of nodes
      Given device class "pooled" counts "cpu" as ConsumeFrom
      And device class "pooled" counts "hugepages-1Gi" as AddPerClaim
      And device class "pooled" manages resources of nodes
      When the DeviceClass "pooled" is created
      Then the field "spec.nodeAllocatableResourceAccountingPolicies" is kept
      And the field "spec.managesNodeAllocatableResources" is kept
