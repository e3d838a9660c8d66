Feature: Tolerations of device taints
  A toleration removes the effect of the taints that it matches. It belongs to one request or subrequest and
  does not apply to others.

  @case:tolerated-taint
  @DRA/toleration/tolerated-taint-has-no-effect
  Scenario Outline: A device whose taint is tolerated is allocated
    Given the devices
      | device | taints   |
      | d1     | <taints> |
    And a ResourceClaim "c" with the request
      | request | tolerations  |
      | r0      | <toleration> |
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | request | device |
      | r0      | d1     |

    Examples:
      | taints                | toleration            |
      | broken=fan:NoSchedule | broken=fan:NoSchedule |
      | broken=fan:NoExecute  | broken=fan:NoExecute  |
      | broken:NoSchedule     | broken                |
      | broken:NoExecute      | *:NoExecute           |

  @case:other-device-in-use
  @DRA/toleration/tolerated-taint-has-no-effect
  Scenario: A request that tolerates every taint gets an untainted device if a tainted one is in use
    Given the devices
      | device | taints                |
      | d1     | broken=fan:NoSchedule |
      | d2     |                       |
    And ResourceClaim "other" is already allocated
      | device |
      | d1     |
    And a ResourceClaim "c" with the request
      | request | tolerations |
      | r0      | *           |
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | request | device |
      | r0      | d2     |

  @case:untainted-device
  @DRA/claim/requests-select-from-class
  Scenario: A request with a toleration is allocated a device without taints
    Given the devices
      | device |
      | d1     |
    And a ResourceClaim "c" with the request
      | request | tolerations           |
      | r0      | broken=fan:NoSchedule |
    When allocation of ResourceClaim "c" is attempted
    Then ResourceClaim "c" is allocated exactly
      | request | device |
      | r0      | d1     |

  @case:tolerated-device-in-use
  @DRA/claim/exclusive-between-claims
  Scenario: A toleration does not make a tainted device in use available
    Given the devices
      | device | taints                |
      | d1     | broken=fan:NoSchedule |
    And ResourceClaim "other" is already allocated
      | device |
      | d1     |
    And a ResourceClaim "c" with the request
      | request | tolerations |
      | r0      | *           |
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible because of DeviceInUse

  @case:tolerated-device-not-selected
  @DRA/selector/no-match-is-unschedulable
  Scenario: A toleration does not make a tainted device match the selector
    Given the devices
      | device | taints                | attribute kind |
      | d1     | broken=fan:NoSchedule | string small   |
    And a ResourceClaim "c" with the request
      | request | tolerations | selector                                             |
      | r0      | *           | device.attributes["dra.example.com"].kind == "large" |
    When allocation of ResourceClaim "c" is attempted
    Then no allocation is possible because of SelectorNotMatched

  Rule: One matching toleration for each taint

    @case:each-taint-matched
    @DRA/toleration/one-match-suffices-per-taint
    Scenario Outline: A device is allocated if each of its taints matches one of the tolerations
      Given the devices
        | device | taints   |
        | d1     | <taints> |
      And a ResourceClaim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d1     |

      Examples: several taints
        | taints                                        | tolerations                                   |
        | a=x:NoSchedule, b=y:NoSchedule                | a=x:NoSchedule, b=y:NoSchedule                |
        | a=x:NoSchedule, b=y:NoSchedule                | b=y:NoSchedule, a=x:NoSchedule                |
        | a=x:NoSchedule, b=y:NoExecute                 | a, b                                          |
        | a=x:NoSchedule, b=y:NoExecute                 | *:NoExecute, a=x                              |
        | a=x:NoSchedule, b=y:NoExecute                 | *                                             |
        | a=x:NoSchedule, a=x:NoExecute                 | a=x                                           |
        | a=x:NoSchedule, a=y:NoSchedule                | a:NoSchedule                                  |
        | a=x:NoSchedule, a=y:NoSchedule                | a=x, a=y                                      |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | c:NoExecute for 60s, *:NoSchedule             |
        | a=x:NoSchedule, b=y:NoSchedule, c=z:NoExecute | b=y:NoSchedule, c=z:NoExecute, a=x:NoSchedule |

      Examples: several tolerations
        | taints         | tolerations                    |
        | a=x:NoSchedule | z, a                           |
        | a=x:NoSchedule | a, z                           |
        | a=x:NoSchedule | a=y, a=x                       |
        | a=x:NoSchedule | a=x:NoExecute, a=x:NoSchedule  |
        | a=x:NoExecute  | a=x:NoExecute for 60s, a       |
        | a=x:NoExecute  | b=y, z, *:NoSchedule, a=x, a=y |

    @case:partial-matches
    @DRA/toleration/one-match-suffices-per-taint
    Scenario Outline: A taint is not tolerated by several tolerations that each match only a part of it
      Given the devices
        | device | taints         |
        | d1     | a=x:NoSchedule |
      And a ResourceClaim "c" with the request
        | request | tolerations   |
        | r0      | <tolerations> |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

      Examples:
        | tolerations                   |
        | a=y, b=x                      |
        | a:NoExecute, b:NoSchedule     |
        | a=x:NoExecute, a=y:NoSchedule |
        | *:NoExecute, b, a=y           |

  Rule: Scope of a toleration

    @case:tolerating-request-gets-device
    @DRA/toleration/belongs-to-the-claim
    Scenario: Of two requests, only the request that tolerates the taint gets the tainted device
      Given the devices
        | device | taints                |
        | d1     |                       |
        | d2     | broken=fan:NoSchedule |
      And a ResourceClaim "c" with the requests
        | request | tolerations |
        | r0      | broken      |
        | r1      |             |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request | device |
        | r0      | d2     |
        | r1      | d1     |

    @case:toleration-of-other-request
    @DRA/toleration/belongs-to-the-claim
    Scenario: A toleration of one request does not apply to another request of the ResourceClaim
      Given the devices
        | device | taints                | attribute kind |
        | d1     |                       | string small   |
        | d2     | broken=fan:NoSchedule | string large   |
      And a ResourceClaim "c" with the requests
        | request | tolerations | selector                                             |
        | r0      | broken      | device.attributes["dra.example.com"].kind == "small" |
        | r1      |             | device.attributes["dra.example.com"].kind == "large" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:tolerating-claim-gets-device
    @DRA/toleration/belongs-to-the-claim
    Scenario: Of two ResourceClaims, only the one that tolerates the taint gets the tainted device
      Given the devices
        | device | taints                |
        | d1     |                       |
        | d2     | broken=fan:NoSchedule |
      And a ResourceClaim "a" with the request
        | request | tolerations |
        | r0      | broken      |
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "a, b" together is attempted
      Then ResourceClaim "a" is allocated exactly
        | request | device |
        | r0      | d2     |
      And ResourceClaim "b" is allocated exactly
        | request | device |
        | r0      | d1     |

    @case:toleration-of-other-claim
    @DRA/toleration/belongs-to-the-claim
    Scenario: A toleration of one ResourceClaim does not apply to another ResourceClaim
      Given the devices
        | device | taints                |
        | d1     | broken=fan:NoSchedule |
        | d2     | broken=fan:NoSchedule |
      And a ResourceClaim "a" with the request
        | request | tolerations |
        | r0      | broken      |
      And a ResourceClaim "b" requesting 1 device
      When allocation of the ResourceClaims "a, b" together is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:toleration-of-subrequest
    @DRA/toleration/belongs-to-the-claim
    Scenario Outline: A toleration applies only to its own subrequest of a prioritized list
      Given the devices
        | device | taints                | attribute kind |
        | large  | broken=fan:NoSchedule | string large   |
        | small  | broken=fan:NoSchedule | string small   |
      And a ResourceClaim "c" with the requests
        | request | subrequest  | tolerations | selector                                             |
        | r0      | big         | <large>     | device.attributes["dra.example.com"].kind == "large" |
        | r0      | little      | <small>     | device.attributes["dra.example.com"].kind == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then ResourceClaim "c" is allocated exactly
        | request  | device   |
        | <choice> | <device> |

      Examples:
        | what                                           | large      | small  | choice    | device |
        | both subrequests tolerate the taint            | broken     | broken | r0/big    | large  |
        | only the first subrequest tolerates the taint  | broken     |        | r0/big    | large  |
        | only the second subrequest tolerates the taint |            | broken | r0/little | small  |
        | the first subrequest tolerates another value   | broken=hot | broken | r0/little | small  |

    @case:no-subrequest-tolerates
    @DRA/toleration/belongs-to-the-claim
    Scenario: A prioritized list fails if no subrequest tolerates the taint of its device
      Given the devices
        | device | taints                | attribute kind |
        | large  | broken=fan:NoSchedule | string large   |
        | small  | hot=yes:NoSchedule    | string small   |
      And a ResourceClaim "c" with the requests
        | request | subrequest  | tolerations | selector                                             |
        | r0      | big         | hot         | device.attributes["dra.example.com"].kind == "large" |
        | r0      | little      | broken      | device.attributes["dra.example.com"].kind == "small" |
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated

    @case:toleration-of-pod
    @DRA/toleration/belongs-to-the-claim
    Scenario: A toleration of the pod does not apply to device taints
      Given the devices
        | device | taints                |
        | d1     | broken=fan:NoSchedule |
      And the objects
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: tolerant, namespace: default}
        spec:
          containers: [{name: one, image: one}]
          resourceClaims: [{name: device, resourceClaimName: c}]
          tolerations: [{operator: Exists}]
        """
      And a ResourceClaim "c" requesting 1 device
      When allocation of ResourceClaim "c" is attempted
      Then no allocation is possible because of TaintNotTolerated
