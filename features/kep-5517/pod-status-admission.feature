Feature: What the status of a pod may say of its claims
  An entry names the claim, the containers that use it, and what it takes of each resource.

  Background:
    Given a pod "p" with the containers
      | container | claims |
      | c1        | c      |
      | c2        | c, d   |

  @case:an-entry-needs-the-name-of-a-claim
  @KEP-5517/api-validation/status-required-fields
  Scenario: An entry needs the name of a claim
    When the status of the Pod "p" is updated with
      | field                                       | value                                                                                        |
      | status.nodeAllocatableResourceClaimStatuses | [{containers: [c1], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then it is rejected with Required at "status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName"

  @case:an-entry-needs-amounts
  @KEP-5517/api-validation/status-required-fields
  Scenario: An entry needs amounts
    When the status of the Pod "p" is updated with
      | field                                       | value                                        |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [c1]}] |
    Then it is rejected with Required at "status.nodeAllocatableResourceClaimStatuses[0].resources"
    But since Kubernetes 1.37, because mapping and overhead are both optional there: it is stored

  @case:an-entry-is-of-resources-that-nodes-have-themselves
  @KEP-5517/api-validation/status-required-fields
  Scenario: An entry is of resources that nodes have themselves
    When the status of the Pod "p" is updated with
      | field                                       | value                                                                                        |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [c1], resources: {cpu: "4", example.com/gpu: "1"}}] |
    Then it is rejected with Invalid at "status.nodeAllocatableResourceClaimStatuses[0].resources[example.com/gpu]"
    But since Kubernetes 1.37, because mapping and overhead say what is taken there: it is stored

  @case:an-entry-may-be-without-containers
  @KEP-5517/api-validation/status-required-fields
  Scenario: An entry may be without containers
    When the status of the Pod "p" is updated with
      | field                                       | value                                                                                      |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then it is stored with
      | field                                                            | value |
      | status.nodeAllocatableResourceClaimStatuses[0].resourceClaimName | c     |
    But in Kubernetes 1.36, because containers are required there: it is rejected with Required at "status.nodeAllocatableResourceClaimStatuses[0].containers"

  @case:a-container-stands-in-an-entry-once
  @KEP-5517/api-validation/status-containers-are-a-set
  Scenario: A container stands in an entry once
    When the status of the Pod "p" is updated with
      | field                                       | value                                                                                                          |
      | status.nodeAllocatableResourceClaimStatuses | [{resourceClaimName: c, containers: [c1, c1], resources: {cpu: "4"}, mapping: [{name: cpu, quantity: "4"}]}] |
    Then it is rejected with Duplicate at "status.nodeAllocatableResourceClaimStatuses[0].containers[1]"
    But in Kubernetes 1.36, because the list is not looked at there: it is stored

  @case:the-status-of-a-draft-is-an-unknown-field
  @KEP-5517/api-validation/old-field-names-are-not-the-api
  Scenario: The status of a draft is an unknown field
    When the status of the Pod "p" is updated with
      | field                            | value                                                                                                    |
      | status.phase                     | Running                                                                                                  |
      | status.nativeResourceClaimStatus | [{claimInfo: {name: c}, containers: [c1], resources: [{resourceName: cpu, quantity: 30}]}] |
    Then it is stored with
      | field                            | value   |
      | status.phase                     | Running |
      | status.nativeResourceClaimStatus | null    |
