Feature: A kubelet that restarts keeps what it knows of prepared ResourceClaims

  Background:
    Given DRA driver "dra.example.com" on the node
    And ResourceClaim "c" is already allocated
      | device |
      | gpu-0  |
    And a pod "p" that uses ResourceClaim "c"

  @case:devices-are-known
  @KUBELET/restart/checkpoint @KUBELET/restart/prepares-again
  Scenario: A restarted kubelet knows the devices of a pod and prepares its ResourceClaim once more
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    Then no driver is called
    And container "main" of pod "p" gets the device "gpu-0"
    And pod "p" still needs to be unprepared
    When the kubelet prepares pod "p" 2 times
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"
    But from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And from Kubernetes 1.34 to 1.36, because retries append the devices of an answer to those of earlier answers: container "main" of pod "p" gets the device "gpu-0" more than once

  @case:unprepared-after-restart
  @KUBELET/restart/checkpoint
  Scenario: After a restart a ResourceClaim is unprepared without being prepared again
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet is killed and started again
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

  @case:failed-prepare-is-known
  @KUBELET/restart/checkpoint
  Scenario: After a restart a ResourceClaim whose preparation failed is unprepared
    When driver "dra.example.com" now answers calls to prepare with an error of the call
    And the kubelet prepares pod "p"
    Then preparing pod "p" fails
    When the kubelet is killed and started again
    Then pod "p" still needs to be unprepared
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:shared-claim-after-restart
  @KUBELET/restart/checkpoint
  Scenario: After a restart a shared ResourceClaim is unprepared with its last pod
    Given a pod "q" that uses ResourceClaim "c"
    When the kubelet prepares pods "p, q"
    Then pod "p" is prepared
    And pod "q" is prepared
    When the kubelet is killed and started again
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And no driver is called
    When the kubelet unprepares pod "q"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:without-api-server
  @KUBELET/restart/no-api-server
  Scenario: A kubelet restarted without an API server unprepares ResourceClaims but prepares none
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet loses the API server
    And the kubelet is killed and started again
    Then container "main" of pod "p" gets the device "gpu-0"
    When the kubelet prepares pod "p"
    Then preparing pod "p" fails
    And no driver is called
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And driver "dra.example.com" is called once to unprepare ResourceClaim "c"

  @case:pod-gone-during-restart
  @KUBELET/unprepare/gone-pods
  Scenario: A restarted kubelet unprepares the ResourceClaim of a pod that was removed in the meantime
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    When the kubelet no longer has pod "p"
    And the kubelet is killed and started again
    And the kubelet runs for at most 75 seconds until it calls a driver
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared
