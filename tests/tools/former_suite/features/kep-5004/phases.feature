Feature: The special claim from phase to phase
  PreFilter plans the claim, Filter decides per node what it asks for, Reserve keeps the devices in memory, PreBind writes
  it. Unreserve and PostFilter take it back.

  Background:
    Given a device class "gpu" for "example.com/gpu"

  Rule: Until it is written

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:the-pod-does-not-name-a-claim-any-more-that-is-given
    @KEP-5004/pod-status/cleared-on-cleanup
    Scenario: The pod does not name a claim any more that is given up
      When pod "p" is tried as far as PreBind
      And the attempt for pod "p" is given up
      Then after Unreserve the Pod "p" has
        | field                                                | value |
        | status.extendedResourceClaimStatus.resourceClaimName |       |
      But since Kubernetes 1.34, because the status of the pod is left as it is: after Unreserve the ResourceClaim "extended resources of pod p" does not exist

  Rule: Writes that fail

    Background:
      Given the device
        | device |
        | gpu-0  |
      And a pod "p" that requests 1 of "example.com/gpu"
      And a pod "q" that requests 1 of "example.com/gpu"

    @case:an-update-of-the-finalizer-that-fails-ends-prebind
    @KEP-5004/failure-handling/prebind-finalizer-update-fails
    Scenario: An update of the finalizer that fails ends PreBind with an error, and the claim is deleted
      When the next 1 update of a ResourceClaim by the scheduler ends as InternalError
      And pod "p" is tried
      Then PreBind ends with Error
      And after Unreserve the ResourceClaim "extended resources of pod p" does not exist
      And after Unreserve nothing is in flight

    @case:a-conflict-in-is-tried-again-within-prebind
    @KEP-5004/failure-handling/conflicts-retried-locally
    Scenario Outline: A conflict in <what> is tried again within PreBind
      When the next 1 update of <what> by the scheduler ends as Conflict
      And pod "p" is tried
      Then PreBind ends with Success
      And after PreBind claim "extended resources of pod p" holds exactly "gpu-0"
      And Unreserve is not reached

      Examples:
        | what                          |
        | a ResourceClaim               |
        | the status of a ResourceClaim |

  Rule: Node by node

    Background:
      Given a node "n1" with 2 of "example.com/gpu"
      And a node "n2"
      And the device
        | device | node | pool |
        | gpu-0  | n2   | n2   |
      And a pod "p" that requests 1 of "example.com/gpu"

    @case:on-in-flight
    @KEP-5004/scheduling-phase/filter-fills-requests-only-for-dra-nodes @KEP-5004/scheduling-phase/template-empty-until-filter
    Scenario Outline: On <node> <claims> in flight
      When pod "p" is tried as far as Reserve on node "<node>"
      Then Filter on node "<node>" ends with Success
      And after Reserve <claims> in flight

      Examples:
        | node | claims                                     |
        | n1   | nothing is                                 |
        | n2   | only claim "extended resources of pod p" is |

    @case:a-pod-that-requests-1-of-on-node-n2
    @KEP-5004/scheduling-phase/noderesources-delegates
    Scenario Outline: A pod that requests 1 of "<resource>" <what> on node n2
      Given a pod "r" that requests 1 of "<resource>"
      When pod "r" is tried on node "n2"
      Then <outcome>

      Examples:
        | resource        | what         | outcome                               |
        | example.com/gpu | fits         | Filter on node "n2" ends with Success |
        | example.com/nic | does not fit | Reserve is not reached                |

  Rule: What makes the scheduler try again

    Background:
      Given a pod "p" that requests 1 of "example.com/gpu"
      And a node "n1"

    @case:when-of-a-node-changes-a-pod-without-a-device-is
    @KEP-5004/scheduling-phase/requeue-on-node-allocatable
    Scenario Outline: When <field> of a node changes, a pod without a device is <what>
      When pod "p" is tried
      Then Reserve is not reached
      When somebody changes the Node "n1" in the meantime
        | field   | value   |
        | <field> | <value> |
      Then pod "p" is <what>

      Examples:
        | field              | value                  | what        |
        | status.allocatable | {example.com/gpu: "1"} | tried again |

      @profile:since-1.34
      Examples: what is of no help, of which the document says nothing
        | field                | value         | what            |
        | metadata.annotations | {seen: "yes"} | not tried again |
