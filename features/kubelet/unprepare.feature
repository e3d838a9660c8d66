Feature: A kubelet has drivers unprepare the ResourceClaims of pods that have ended

  Background:
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |

  @case:unprepared-once
  @KUBELET/unprepare/idempotent @KUBELET/unprepare/last-pod
  Scenario: The kubelet calls no driver when a pod is unprepared again
    Given a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And pod "p" still needs to be unprepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared
    When the kubelet unprepares pod "p" 2 times
    Then pod "p" is unprepared
    And no driver is called

  @case:namespaces
  @KUBELET/unprepare/last-pod
  Scenario: ResourceClaims of the same name in two namespaces are unprepared independently
    Given ResourceClaim "team/c" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "team/p" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, team/p"
    Then pod "p" is prepared
    And pod "team/p" is prepared
    When the kubelet unprepares pod "team/p"
    Then pod "team/p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "team/c"
    And pod "team/p" does not need to be unprepared
    And pod "p" still needs to be unprepared
    And container "main" of pod "p" gets the device "gpu-0"

  @case:never-prepared
  @KUBELET/unprepare/only-users
  Scenario: A ResourceClaim stays prepared when another pod, which failed to prepare, is unprepared
    Given a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaims "c, missing"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And no driver is called
    And container "main" of pod "p" gets the device "gpu-0"
    But from Kubernetes 1.34 to 1.36, because a pod that failed to prepare unprepares ResourceClaims that another pod uses: driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And from Kubernetes 1.34 to 1.36, because a pod that failed to prepare unprepares ResourceClaims that another pod uses: container "main" of pod "p" cannot start

  @case:never-prepared-alone
  @KUBELET/unprepare/only-users
  Scenario: A pod that failed to prepare is unprepared without a call to a driver
    Given a pod "q" that uses ResourceClaims "c, missing"
    When the kubelet prepares pod "q"
    Then preparing pod "q" fails
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And no driver is called

  @case:failed-driver-call
  @KUBELET/unprepare/last-pod
  Scenario: A ResourceClaim is unprepared although its driver failed to prepare it
    Given a pod "p" that uses ResourceClaim "c"
    When driver "dra.example.com" now answers calls to prepare with an error for ResourceClaim "c"
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

  @case:until-success
  @KUBELET/unprepare/until-success
  Scenario Outline: A pod is not removed while its driver cannot unprepare a ResourceClaim
    Given a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" now answers calls to unprepare <answer>
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" still needs to be unprepared
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

    @key:fault
    Examples:
      | fault           | answer                                                                  |
      | error-of-claim  | with an error for ResourceClaim "c"                                     |
      | error-of-call   | with a gRPC error                                                       |
      | unimplemented   | with the error UNIMPLEMENTED                                            |
      | left-out        | without an entry for ResourceClaim "c"                                  |
      | unknown-entry   | with an entry for an unknown ResourceClaim                              |
      | unknown-instead | with an entry for an unknown ResourceClaim instead of ResourceClaim "c" |

  @case:driver-away
  @KUBELET/unprepare/until-success
  Scenario: A pod is not removed while the driver of its ResourceClaim is not registered
    Given a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" is stopped
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And pod "p" still needs to be unprepared
    When driver "dra.example.com" is started
    Then the kubelet tells driver "dra.example.com" that it is registered
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:one-call-for-all-claims
  @KUBELET/prepare/one-call-per-driver @KUBELET/unprepare/last-pod
  Scenario: The kubelet unprepares all ResourceClaims of a pod for one driver in one call
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaims "c, d"

  @case:deleted-claim
  @KUBELET/unprepare/last-pod
  Scenario: A ResourceClaim that is deleted from the API server is unprepared with its pod
    Given a pod "p" that uses ResourceClaim "c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When ResourceClaim "c" is deleted while the kubelet knows it
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:both-drivers
  @KUBELET/unprepare/last-pod @KUBELET/unprepare/until-success
  Scenario Outline: Both drivers of a ResourceClaim are called to unprepare it, until both succeed
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | device | driver          |
      | gpu-1  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "both"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "<fails>" now answers calls to unprepare with a gRPC error
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And pod "p" still needs to be unprepared
    When driver "<fails>" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "<fails>" is called once to unprepare ResourceClaim "both"
    And pod "p" does not need to be unprepared

    @key:fails
    Examples:
      | fails           |
      | dra.example.com |
      | nic.example.com |

  @case:each-driver
  @KUBELET/unprepare/last-pod
  Scenario: Each driver of a ResourceClaim is called to unprepare it
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | device | driver          |
      | gpu-1  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaims "both, c"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaims "both, c"
    And driver "nic.example.com" is called once to unprepare ResourceClaim "both"

  @case:own-and-shared-claim
  @KUBELET/unprepare/last-pod
  Scenario Outline: When a pod ends, its own ResourceClaim is unprepared, and its shared ResourceClaim is not
    Given ResourceClaim "own" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "<claims>"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And pod "q" is prepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "own"
    And container "main" of pod "q" gets the device "gpu-0"
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

    @key:claims
    Examples:
      | claims |
      | c, own |
      | own, c |

  @case:own-claims-of-two-pods
  @KUBELET/unprepare/last-pod
  Scenario: When a pod ends, the ResourceClaims of another pod stay prepared
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "d"
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And pod "q" is prepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "q" still needs to be unprepared
    And container "main" of pod "q" gets the device "gpu-1"

  @case:three-users
  @KUBELET/unprepare/last-pod @KUBELET/prepare/shared
  Scenario: A ResourceClaim of three pods is prepared once and unprepared with the last of them
    Given a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    And a pod "r" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q, r"
    Then pod "r" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet unprepares pods "q, p"
    Then pod "p" is unprepared
    And no driver is called
    And container "main" of pod "r" gets the device "gpu-0"
    When the kubelet unprepares pod "r"
    Then pod "r" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:one-of-two-drivers-failed
  @KUBELET/unprepare/last-pod
  Scenario: Both drivers unprepare a ResourceClaim that one of them failed to prepare
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | device | driver          |
      | gpu-1  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "both"
    When driver "nic.example.com" now answers calls to prepare with a gRPC error
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "both"
    And driver "nic.example.com" is called once to unprepare ResourceClaim "both"

  @case:unprepared-twice-while-shared
  @KUBELET/unprepare/idempotent @KUBELET/unprepare/last-pod
  Scenario: Unpreparing a pod twice keeps a ResourceClaim prepared that another pod uses
    Given a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then pod "q" is prepared
    When the kubelet unprepares pod "p" 2 times
    Then pod "p" is unprepared
    And no driver is called
    And container "main" of pod "q" gets the device "gpu-0"
    But from Kubernetes 1.34 to 1.36, because a pod that no longer uses a ResourceClaim unprepares it: driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And from Kubernetes 1.34 to 1.36, because a pod that no longer uses a ResourceClaim unprepares it: container "main" of pod "q" cannot start

  @case:error-of-one-of-two-claims
  @KUBELET/unprepare/until-success
  Scenario Outline: A pod is not removed while its driver cannot unprepare one of two ResourceClaims
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When driver "dra.example.com" now answers calls to unprepare <answer>
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And pod "p" still needs to be unprepared
    When driver "dra.example.com" now answers calls to unprepare correctly
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And pod "p" does not need to be unprepared

    @key:fault
    Examples:
      | fault           | answer                                 |
      | error-of-first  | with an error for ResourceClaim "c"    |
      | error-of-second | with an error for ResourceClaim "d"    |
      | first-left-out  | without an entry for ResourceClaim "c" |
      | second-left-out | without an entry for ResourceClaim "d" |

  @case:entry-for-a-claim-of-another-driver
  @KUBELET/unprepare/until-success
  Scenario: A pod is not removed if a response has an entry for a ResourceClaim of another driver
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "d" is already allocated
      | device | driver          |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to unprepare with a further entry for ResourceClaim "d"
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And pod "p" still needs to be unprepared

  @case:error-of-either-driver
  @KUBELET/unprepare/until-success
  Scenario Outline: A pod is not removed if <fails> cannot unprepare a ResourceClaim of two drivers
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | device | driver          |
      | gpu-1  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "both"
    When the kubelet prepares pod "p"
    And driver "<fails>" now answers calls to unprepare with an error for ResourceClaim "both"
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And pod "p" still needs to be unprepared

    @key:fails
    Examples:
      | fails           |
      | dra.example.com |
      | nic.example.com |

  @case:missing-entry-of-either-driver
  @KUBELET/unprepare/until-success
  Scenario Outline: A pod is not removed if <driver> has no entry for a ResourceClaim of two drivers
    Given DRA driver "nic.example.com" on the node
    And ResourceClaim "both" is already allocated
      | device | driver          |
      | gpu-1  | dra.example.com |
      | nic-0  | nic.example.com |
    And a pod "p" that uses ResourceClaim "both"
    When the kubelet prepares pod "p"
    And driver "<driver>" now answers calls to unprepare without an entry for ResourceClaim "both"
    And the kubelet unprepares pod "p"
    Then unpreparing pod "p" fails
    And pod "p" still needs to be unprepared

    @key:driver
    Examples:
      | driver          |
      | dra.example.com |
      | nic.example.com |

  @case:failed-pod-with-a-shared-claim
  @KUBELET/unprepare/last-pod
  Scenario: Only the unshared ResourceClaim of a pod that failed at a driver is unprepared
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to prepare with an error for ResourceClaim "d"
    And the kubelet prepares pod "q"
    Then preparing pod "q" fails
    When the kubelet unprepares pod "q"
    Then pod "q" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "d"
    And container "main" of pod "p" gets the device "gpu-0"

  @case:failed-pod-is-the-last-user
  @KUBELET/unprepare/last-pod
  Scenario: A shared ResourceClaim stays prepared until a pod that failed at a driver has ended, too
    Given ResourceClaim "d" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses ResourceClaim "c"
    And a pod "q" that uses ResourceClaims "c, d"
    When the kubelet prepares pod "p"
    And driver "dra.example.com" now answers calls to prepare with an error for ResourceClaim "d"
    And the kubelet prepares pod "q"
    Then preparing pod "q" fails
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And no driver is called
    When the kubelet unprepares pod "q"
    Then driver "dra.example.com" is called once to unprepare ResourceClaims "c, d"

  @case:without-claim-statuses
  @KUBELET/unprepare/last-pod
  Scenario: A generated ResourceClaim is unprepared for a pod whose status no longer names it
    Given ResourceClaim "p-gpu-k4x9q" is already allocated
      | device |
      | gpu-1  |
    And a pod "p" that uses the ResourceClaimTemplate "template" as "gpu"
    And ResourceClaim "p-gpu-k4x9q" is generated for the entry "gpu" of pod "p"
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the status of pod "p" loses its resourceClaimStatuses
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "p-gpu-k4x9q"
    But from Kubernetes 1.34 to 1.36, because a pod whose status does not name a generated ResourceClaim cannot be unprepared: unpreparing pod "p" fails
    And from Kubernetes 1.34 to 1.36, because a pod whose status does not name a generated ResourceClaim cannot be unprepared: no driver is called
